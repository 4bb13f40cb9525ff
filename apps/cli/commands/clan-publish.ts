// clan publish: publishes a page of the clan that anybody may read, or changes it.
import type { Command } from "commander";
import { publicPageResponse } from "#contract/public-page.ts";
import { BOARDS_PER_CLAN_MAX, isBoardId } from "#domain/board.ts";
import {
  FRAME_ORIGIN_FORM,
  FRAME_ORIGINS_MAX,
  frameOriginOf,
  isSlug,
  SLUG_FORM,
  SLUG_RESERVED_DAYS,
  type PublicBoards,
  type PublicFrames,
} from "#domain/public-page.ts";
import { makeChangePublicPage } from "#public-pages/change-public-page.ts";
import type { PublicPageChange } from "#public-pages/ports.ts";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { missingBoard } from "../open/boards.ts";
import { clanIdIn, onOffIn, type Faults } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples, facts } from "../show/text.ts";

type Options = { slug?: string; names?: string; boards?: string; index?: string; frames?: string };

const OFF = "PUBLIC_PAGES is off: the dashboard serves no public page until an operator turns it on.";

export function addClanPublish(parent: Command, cli: Cli): void {
  parent
    .command("publish")
    .summary("publish a page of the clan")
    .description(
      "Publishes a page with the clan's leaderboard and boards, which anybody may read, or changes it. Options that are not given stay as they are.",
    )
    .argument("<clanId>", "the clan")
    .option("--slug <slug>", `the end of its address: ${SLUG_FORM} (default: made from the clan's name)`)
    .option("--names <on|off>", "show the names of members; off, the default: Player and the position")
    .option("--boards <all|none|IDs>", "boards that it has, separated by commas (default all)")
    .option("--index <on|off>", "let search engines list it (default off)")
    .option("--frames <any|none|origins>", "web sites that may embed a board, separated by commas (default none)")
    .addHelpText(
      "after",
      examples([
        ["clanxp clan publish rovers", "a page without names"],
        ["clanxp clan publish rovers --slug the-rovers --names on", "with the names of members"],
        ["clanxp clan publish rovers --frames https://rovers.example.com", "a board may be embedded there"],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const change = changeIn(options, faults);
      rejectFaults(faults);
      const { actor: by, dashboardUrl, publicPages } = cli.settings("servers", "actor", "dashboardUrl", "publicPages");

      const stores = await cli.servers.preparedStores();
      const changed = await makeChangePublicPage(stores)(clanId, change, by);
      if (changed.kind === "no_clan") throw await unknownClan(clanId, stores.clans);
      if (changed.kind === "no_board") throw await missingBoard(cli, { clanId, boardId: changed.boardId });
      if (changed.kind !== "changed") throw slugTaken(change.slug);
      const page = publicPageResponse(changed.clan.publicPage, dashboardUrl);
      if (!page) throw new CliError("internal", "The page was changed by somebody else. Run the command again.");
      if (!publicPages) cli.warn(OFF);
      const { url, names, boards, index, frames } = page;
      cli.print({
        json: page,
        text: facts([
          ["public page", url],
          ["names", names ? "on" : "off"],
          ["boards", textOf(boards)],
          ["search engines", index ? "on" : "off"],
          ["embedding", textOf(frames)],
        ]),
      });
    });
}

function slugTaken(slug: string | undefined): CliError {
  const which = slug === undefined ? "The addresses made from the clan's name are" : `The address "${slug}" is`;
  return new CliError(
    "slug_taken",
    `${which} taken by another clan, or was in the last ${SLUG_RESERVED_DAYS} days. Nothing was changed: choose another one with --slug.`,
  );
}

function changeIn({ slug, names, boards, index, frames }: Options, faults: Faults): PublicPageChange {
  if (slug !== undefined && !isSlug(slug)) faults.push(`--slug has ${SLUG_FORM}, not "${slug}"`);
  return {
    publish: true,
    ...(slug === undefined ? {} : { slug }),
    ...(names === undefined ? {} : { names: onOffIn("--names", names, faults) }),
    ...(boards === undefined ? {} : { boards: boardsIn(boards, faults) }),
    ...(index === undefined ? {} : { index: onOffIn("--index", index, faults) }),
    ...(frames === undefined ? {} : { frames: framesIn(frames, faults) }),
  };
}

function boardsIn(text: string, faults: Faults): PublicBoards {
  if (text === "all" || text === "none") return text;
  const boardIds = [...new Set(text.split(","))];
  const wrong = boardIds.find((boardId) => !isBoardId(boardId));
  if (wrong !== undefined || boardIds.length > BOARDS_PER_CLAN_MAX)
    faults.push(`--boards is all, none or ids of boards, separated by commas, not "${wrong ?? text}"`);
  return boardIds;
}

function framesIn(text: string, faults: Faults): PublicFrames {
  if (text === "any" || text === "none") return text;
  const origins = text.split(",").map((origin) => {
    const known = frameOriginOf(origin);
    if (known === null) faults.push(`--frames: "${origin}" is not ${FRAME_ORIGIN_FORM}`);
    return known ?? origin;
  });
  const unique = [...new Set(origins)];
  if (unique.length > FRAME_ORIGINS_MAX) faults.push(`--frames has at most ${FRAME_ORIGINS_MAX} origins`);
  return unique;
}

function textOf(choice: string | readonly string[]): string {
  return typeof choice === "string" ? choice : choice.join(", ");
}
