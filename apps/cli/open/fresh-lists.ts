// The members' lists and the leaderboard for a command, as current as the API's. Without Redis it continues with what is projected, and
// warns.
import { makeLeaderboard, type Leaderboard } from "#members/leaderboard.ts";
import { makeMemberLists, type MemberLists } from "#members/member-lists.ts";
import { makeRebuildThese } from "#ledger/rebuild-members.ts";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";

export async function openFreshLists(
  cli: Cli,
): Promise<MemberLists & { leaderboard: Leaderboard; catchUp(clanId: string): Promise<boolean> }> {
  const catchUp = makeProjectAll(cli, "the list of members");
  const { ledgerStore: store, epochs, members, leaderboard } = await cli.servers.stores();
  const { clock } = cli;
  return {
    ...makeMemberLists({ members, catchUp, rebuildThese: makeRebuildThese({ store, epochs, clock }) }),
    leaderboard: makeLeaderboard({ store: leaderboard, catchUp, clock }),
    catchUp,
  };
}

/** Makes every process project what it has committed in a clan. False: some may not have, of which it warns once. */
export function makeProjectAll(cli: Cli, shown: string): (clanId: string) => Promise<boolean> {
  let hasWarned = false;
  return async (clanId) => {
    const whyNot = await reasonNotCaughtUp(cli, clanId);
    if (whyNot !== null && !hasWarned) cli.warn(`${whyNot} Awards of the last 5 s may be missing from ${shown}.`);
    hasWarned ||= whyNot !== null;
    return whyNot === null;
  };
}

async function reasonNotCaughtUp({ servers }: Cli, clanId: string): Promise<string | null> {
  try {
    const { catchUp } = await servers.projections();
    return (await catchUp(clanId)) ? null : "A process does not respond.";
  } catch (error) {
    if (error instanceof CliError && error.code === "unreachable") return "Redis is unavailable.";
    throw error;
  }
}
