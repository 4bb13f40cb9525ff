// Converts an event to what its readers receive: bigint and Date become text.
import { awardIdOf } from "#contract/award-id.ts";
import type { AnyEventResponse } from "#contract/event.ts";
import { rankResponses, standingResponse } from "#contract/render.ts";
import type { ClanEvent } from "#domain/event.ts";

export function eventResponse(event: ClanEvent): AnyEventResponse {
  const { eventId: id, at, clanId } = event;
  const common = { id, timestamp: at.toISOString(), clanId };
  switch (event.type) {
    case "member.rank_changed": {
      const { type, data: change } = event;
      const { xp, xpToNextRank } = change;
      return {
        ...common,
        type,
        data: {
          ...change,
          xp: xp.toString(),
          xpToNextRank: xpToNextRank?.toString() ?? null,
          ranksPassed: [...change.ranksPassed],
          awardId: awardIdOf({ clanId, ...change }),
        },
      };
    }
    case "member.joined":
    case "member.left":
      return {
        ...common,
        type: event.type,
        data: { ...event.data, xp: event.data.xp.toString(), since: event.data.since.toISOString() },
      } as AnyEventResponse;
    case "award.applied": {
      const { type, data: applied } = event;
      const numbers = {
        amount: applied.amount.toString(),
        applied: applied.applied.toString(),
        xp: applied.xp.toString(),
      };
      return { ...common, type, data: { ...applied, ...numbers, awardId: awardIdOf({ clanId, ...applied }) } };
    }
    case "period.final": {
      const { startsAt, endsAt, top, board: _board, ...facts } = event.data;
      const times = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
      const rows = top.map((row) => ({ ...standingResponse(row), previousPosition: row.previousPosition }));
      return { ...common, type: event.type, data: { ...facts, ...times, top: rows } };
    }
    case "ranks.changed": {
      const { type, data: change } = event;
      const lists = { ranks: rankResponses(change.ranks), previousRanks: rankResponses(change.previousRanks) };
      return { ...common, type, data: { ...change, ...lists } };
    }
    default:
      // Texts, numbers and times alone: times become RFC 3339.
      return { ...common, type: event.type, data: asJson(event.data) } as AnyEventResponse;
  }
}

function asJson(data: object): unknown {
  return JSON.parse(JSON.stringify(data));
}
