// Public pages as HTML: without scripts, and without anything that another server would have to send. Every text from
// outside is escaped, and names are isolated, so that their direction does not change that of their row.
import { numberText, timeText } from "#contract/dashboard/audit-fields.ts";
import { PUBLIC_PATH } from "#contract/public-page.ts";
import { escapeHtml } from "#http/escape-html.ts";
import type { PublicClan, PublicPeriod } from "#public-pages/read-public-page.ts";
import { STYLE } from "./page-style.ts";
import type { EmbedOptions } from "./public-path.ts";

type Shown = PublicClan | PublicPeriod;
/** `slug` null: a preview, which has no address yet. */
type PageOptions = { slug: string | null; index: boolean };

/** In the description, which search engines and chats show. */
const DESCRIBED = 3;

export function renderPage(shown: Shown, { slug, index }: PageOptions): string {
  const title = titleOf(shown);
  const description = describe(shown);
  const head = [
    `<meta name="description" content="${escapeHtml(description)}">`,
    `<meta property="og:type" content="website">`,
    `<meta property="og:title" content="${escapeHtml(title)}">`,
    `<meta property="og:description" content="${escapeHtml(description)}">`,
    ...(index ? [] : [`<meta name="robots" content="noindex">`]),
  ];
  const base = slug === null ? null : `${PUBLIC_PATH}${slug}`;
  return frame({
    title,
    head,
    className: "",
    body: shown.kind === "clan" ? clanBody(shown, base) : periodBody(shown, base),
  });
}

/** The list alone; screen readers also get what it is a list of. */
export function renderEmbed(shown: Shown, { rows, theme }: Pick<EmbedOptions, "rows" | "theme">): string {
  const title = titleOf(shown);
  const body = `<h1 class="spoken">${escapeHtml(title)}</h1>\n${list(shown, rows)}`;
  return frame({ title, head: [], className: theme === null ? "embed" : `embed ${theme}`, body });
}

/** The same for every address without a page, so that it says nothing about a clan. */
export const MISSING_PAGE = frame({
  title: "Not found",
  head: [],
  className: "",
  body: "<h1>Not found</h1><p>There is no page at this address.</p>",
});

function titleOf(shown: Shown): string {
  return shown.kind === "clan" ? shown.clan.name : `${shown.board.name} · ${shown.clan.name}`;
}

function frame(page: { title: string; head: readonly string[]; className: string; body: string }): string {
  const className = page.className === "" ? "" : ` class="${page.className}"`;
  return `<!doctype html>
<html lang="en"${className}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
${page.head.join("\n")}
<style>${STYLE}</style>
</head>
<body>
<main>
${page.body}
</main>
</body>
</html>
`;
}

function clanBody(shown: PublicClan, base: string | null): string {
  const { clan, boards, asOf } = shown;
  const ranks = clan.ranks.map(({ name, members }) => {
    return `<li><bdi class="name">${escapeHtml(name)}</bdi> <span class="number">${numberText(members)}<span class="spoken"> ${members === 1 ? "member" : "members"}</span></span></li>`;
  });
  const links = boards.map(({ boardId, name }) => `<li>${link(base, `/boards/${boardId}`, name)}</li>`);
  return `<h1><bdi>${escapeHtml(clan.name)}</bdi></h1>
<p>${numberText(clan.members)} ${clan.members === 1 ? "member" : "members"}, ${numberText(clan.xp)} XP in total</p>
${time(asOf)}
${links.length > 0 ? `<nav aria-label="Boards"><h2>Boards</h2><ul role="list">${links.join("")}</ul></nav>` : ""}
<h2>Members</h2>
${list(shown, shown.members.length)}
<h2>Ranks</h2>
<ul role="list">${ranks.join("")}</ul>`;
}

function periodBody(shown: PublicPeriod, base: string | null): string {
  const { clan, board, period, hasPrevious, asOf } = shown;
  const heading = `<p>${link(base, "", clan.name)}</p>
<h1><bdi>${escapeHtml(board.name)}</bdi></h1>`;
  if (!period) return `${heading}\n${list(shown, 0)}`;
  const previous =
    hasPrevious && base !== null ? `<p><a href="${base}/boards/${board.boardId}/previous">Previous period</a></p>` : "";
  return `${heading}
<p>${timeText(period.startsAt.toISOString())} to ${timeText(period.endsAt.toISOString())}</p>
<p>${ending(period)}, ${numberText(period.members)} ${period.members === 1 ? "member" : "members"}</p>
${time(asOf)}
${previous}
<h2>Members</h2>
${list(shown, shown.members.length)}`;
}

function ending({ status, endsAt, startsAt }: NonNullable<PublicPeriod["period"]>): string {
  if (status === "upcoming") return `Begins ${timeText(startsAt.toISOString())}`;
  const when = timeText(endsAt.toISOString());
  if (status === "open") return `Ends ${when}`;
  return status === "final" ? `Ended ${when}` : `Ended ${when}; corrections are still possible`;
}

/** Also what the embed shows. */
function list(shown: Shown, rows: number): string {
  if (shown.kind === "board" && !shown.period) return "<p>No season yet</p>";
  if (shown.members.length === 0) return "<p>No members yet</p>";
  const items =
    shown.kind === "clan"
      ? shown.members.slice(0, rows).map((member) => row(member, rankNote(member.rank)))
      : shown.members.slice(0, rows).map((member) => row(member, move(member, shown.hasPrevious)));
  return `<ol role="list">${items.join("\n")}</ol>`;
}

function row({ position, name, xp }: { position: number; name: string; xp: bigint }, note: string): string {
  return `<li><span class="position">${position}</span> <bdi class="name">${escapeHtml(name)}</bdi> ${note} <span class="number">${numberText(xp)} XP</span></li>`;
}

function rankNote(rank: string | null): string {
  return rank === null ? "" : `<bdi class="note rank">${escapeHtml(rank)}</bdi>`;
}

/** The arrow is for the eyes, and the words for screen readers. */
function move(
  { position, previousPosition }: { position: number; previousPosition: number | null },
  hasPrevious: boolean,
): string {
  if (previousPosition === null) return hasPrevious ? `<span class="note">new</span>` : "";
  const places = previousPosition - position;
  if (places === 0) return "";
  const [arrow, word] = places > 0 ? ["▲", "up"] : ["▼", "down"];
  const number = Math.abs(places);
  return `<span class="note"><span aria-hidden="true">${arrow}${number}</span><span class="spoken">${word} ${number} ${number === 1 ? "place" : "places"}</span></span>`;
}

/** Without an address, only its text. */
function link(base: string | null, path: string, text: string): string {
  const shown = `<bdi>${escapeHtml(text)}</bdi>`;
  return base === null ? `<span class="name">${shown}</span>` : `<a class="name" href="${base}${path}">${shown}</a>`;
}

function time(asOf: Date): string {
  const iso = asOf.toISOString();
  return `<p class="faint">As of <time datetime="${iso}">${timeText(iso)}</time></p>`;
}

function describe(shown: Shown): string {
  const first = shown.members.slice(0, DESCRIBED).map(({ position, name, xp }) => {
    return `${position}. ${name}, ${numberText(xp)} XP`;
  });
  return first.length === 0 ? "No members yet" : first.join("; ");
}
