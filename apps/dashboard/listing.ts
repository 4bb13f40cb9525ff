// What the pages need that list members, their awards and their gains, and show the activity of a clan.
import { awardIdOf } from "#contract/award-id.ts";
import { makeReadCounted } from "#activity/count-hours.ts";
import { makeReadActivity } from "#activity/read-activity.ts";
import { makeReadHighlights } from "#activity/read-highlights.ts";
import { makeReadGainChart } from "#gains/read-gain-chart.ts";
import { makeFindMembers } from "#members/find-members.ts";
import { makeListAwards } from "#members/list-awards.ts";
import { makeWithReversals } from "#members/with-reversals.ts";
import { makeShowEntries } from "./routes/show-entries.ts";
import type { RoutesDeps } from "./routes-deps.ts";

export function makeGaining({ connections, reading: { searchMembers, gains }, clock }: RoutesDeps) {
  const readGainChart = makeReadGainChart({ store: connections.xpHistory, readMemberGains: gains.ofMember, clock });
  return { gains, readGainChart, searchMembers, names: connections.names };
}

export function makeListing(deps: RoutesDeps) {
  const { connections, ledger, reading, clock } = deps;
  const { lists, searchMembers, leaderboard, countRanks } = reading;
  const { names } = connections;
  const findMembers = makeFindMembers({ lists, searchMembers, leaderboard, countRanks });
  return { findMembers, names, leaderboard, rules: ledger.rules, clock };
}

export function makeListingAwards({ connections, reading: { searchMembers } }: RoutesDeps) {
  const { awards, ledgerReader: reader, keys, names, activity } = connections;
  const withReversals = makeWithReversals({ reader, awardIdOf });
  const listAwards = makeListAwards({ awards, searchMembers, withReversals });
  return { awards, listAwards, showEntries: makeShowEntries({ keys }), keys, names, activity };
}

export function makeWatching({
  connections,
  ledger,
  reading: { leaderboard, countRanks, gains },
  clock,
  log,
}: RoutesDeps) {
  const { activity: store, countedHours: hours, members } = connections;
  const readCounted = makeReadCounted({ store, hours, clock, log });
  return {
    readActivity: makeReadActivity({ store, readCounted, leaderboard, clock }),
    readHighlights: makeReadHighlights({ gains, members, countRanks, rules: ledger.rules, clock }),
  };
}
