// What people read in Discord about events. Everything that callers and members choose is escaped: it formats nothing,
// mentions nobody and links nowhere.
import { eventResponse } from "#contract/event-response.ts";
import { changeText, eventTitles, rankTitle } from "#contract/event-text.ts";
import type { ClanEvent, EventType, PeriodResult, TopMember } from "#domain/event.ts";
import { isolated } from "#domain/isolated.ts";
import { zoneOf } from "#domain/period.ts";

/** Discord: 4,096 characters in a description, 6,000 in the ten embeds of a message together. */
const TEXT_CHARS_MAX = 240;
const SUMMARY_CHARS_MAX = 3_500;

export type Embed = { title: string; description: string; timestamp?: string };

/** `pageUrl`: of the clan's public page, if there is one. */
export function embedOf(event: ClanEvent, pageUrl: string | null): Embed {
  const { title, description } = textOf(event, pageUrl);
  return { title, description, timestamp: event.at.toISOString() };
}

function textOf(event: ClanEvent, pageUrl: string | null): Embed {
  switch (event.type) {
    case "member.rank_changed": {
      const { rank, xp } = event.data;
      return {
        title: rankTitle(event.data),
        description: `${memberOf(event.data)} is now ${bold(rank)} (${xpText(xp)})`,
      };
    }
    case "member.joined":
      return {
        title: titles[event.type],
        description: `${memberOf(event.data)} joined as ${bold(event.data.rank)} (${xpText(event.data.xp)})`,
      };
    case "member.left":
      return { title: titles[event.type], description: `${memberOf(event.data)} left (${xpText(event.data.xp)})` };
    case "award.applied": {
      const change = escaped(changeText(eventResponse(event)));
      return { title: titles[event.type], description: `${bold(event.data.platformId)}: ${change}` };
    }
    case "period.final":
      return resultOf(event.data, pageUrl);
    case "ranks.changed": {
      const change = escaped(changeText(eventResponse(event)));
      return { title: titles[event.type], description: change.replace(/^./, (first) => first.toUpperCase()) };
    }
    default:
      return { title: titles[event.type], description: escaped(changeText(eventResponse(event))) };
  }
}

/** The days of the period, who was first in it, what else happened, and where to see more. */
function resultOf({ board, startsAt, endsAt, top, summary }: PeriodResult, pageUrl: string | null): Embed {
  const zone = zoneOf(board.timeZone);
  const dayOf = (at: Date): string => {
    const { year, month, day } = zone.wallClockAt(at);
    return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
  };
  const { joined, left, rose, fell, awards } = summary;
  const counts = Object.entries({ joined, left, rose, fell }).map(
    ([what, count]) => `${grouped.format(count)} ${what}`,
  );
  const lines = top.map((member) => {
    const name = isolated(escaped(member.name ?? member.platformId));
    return `${member.position}. ${name}  ${xpText(member.xp)}${moveOf(member, board)}`;
  });
  const title = `${isolated(escaped(board.name))}: ${dayOf(startsAt)} to ${dayOf(new Date(endsAt.getTime() - 1))}`;
  const last = `${counts.join(", ")}; ${grouped.format(awards)} award${awards === 1 ? "" : "s"}`;
  const description = [...lines, ...(lines.length > 0 ? [""] : []), last, ...(pageUrl === null ? [] : [pageUrl])];
  return { title, description: description.join("\n") };
}

/** Against the period before, if there was one. */
function moveOf({ position, previousPosition }: TopMember, { isFirst }: PeriodResult["board"]): string {
  if (isFirst || position === previousPosition) return "";
  if (previousPosition === null) return "  new";
  const rise = previousPosition - position;
  return `  ${rise > 0 ? "▲" : "▼"}${grouped.format(Math.abs(rise))}`;
}

/** In a channel, beside other messages, they say whose change it is. */
const titles: Record<EventType, string> = {
  ...eventTitles,
  "member.joined": "New member",
  "member.left": "Member left",
};

/** How many members reached each rank, and how often everything else happened, the most frequent first. */
export function summaryOf(events: readonly ClanEvent[]): Embed {
  const counts = new Map<string, number>();
  for (const event of events) {
    const line = lineOf(event);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const lines = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([line, count]) => `${line}: ${grouped.format(count)}`);
  const shown = lines.filter((_line, index) => lines.slice(0, index + 1).join("\n").length <= SUMMARY_CHARS_MAX);
  const rest = lines.length - shown.length;
  return {
    title: `${grouped.format(events.length)} events`,
    description: [...shown, ...(rest > 0 ? [`and ${rest} more kinds`] : [])].join("\n"),
  };
}

function lineOf(event: ClanEvent): string {
  if (event.type !== "member.rank_changed") return titles[event.type];
  const { direction, rank } = event.data;
  return `${direction === "up" ? "Up" : "Down"} to ${bold(rank)}`;
}

export const sample: Embed = {
  title: "Test",
  description: "Events of the clan are announced in this channel.",
};

/** By the name that is known for them. */
function memberOf({ name, platformId }: { name: string | null; platformId: string }): string {
  return bold(name ?? platformId);
}

function bold(text: string): string {
  return isolated(`**${escaped(text)}**`);
}

const grouped = new Intl.NumberFormat("en");

function xpText(xp: bigint): string {
  return `${grouped.format(xp)} XP`;
}

/** Line breaks, with which lists, headings and quotes begin, become spaces. */
function escaped(text: string): string {
  const chars = [...text.replaceAll(/[\s\p{Cc}]+/gu, " ")];
  const short = chars.length > TEXT_CHARS_MAX ? `${chars.slice(0, TEXT_CHARS_MAX - 1).join("")}…` : chars.join("");
  return short.replaceAll(/[\\`*_~|<>@#:[\]()/]/g, String.raw`\$&`);
}
