// What an event says, in a few words, for people: on the command line and in the dashboard.
import type { AnyEventResponse } from "#contract/event.ts";
import type { EventType } from "#domain/event.ts";

const grouped = new Intl.NumberFormat("en");

/** What people call events of a type. */
export const eventTitles: Record<EventType, string> = {
  "member.rank_changed": "Rank changed",
  "member.joined": "Joined",
  "member.left": "Left",
  "award.applied": "XP changed",
  "batch.done": "Batch done",
  "reversal.done": "Reversal done",
  "ranks.changed": "Ranks changed",
  "period.final": "Period ended",
  "events.erased": "Events erased",
  "key.created": "API key created",
  "key.rotated": "API key rotated",
  "key.revoked": "API key revoked",
  "destination.disabled": "Destination disabled",
};

export function rankTitle({ direction }: { direction: "up" | "down" }): string {
  return direction === "up" ? "Rank up" : "Rank down";
}

/** Who was first: several members with equal XP. */
export function winnersOf<Member extends { position: number }>({ top }: { top: readonly Member[] }): Member[] {
  return top.filter(({ position }) => position === 1);
}

/**
 * Without the time, the type and the member, which are listed beside it. `memberText`: a member whom the text names.
 */
export function changeText(event: AnyEventResponse, memberText = (platformId: string): string => platformId): string {
  switch (event.type) {
    case "member.rank_changed": {
      const { direction, previousRank, rank, xp, cause } = event.data;
      return `${direction} from ${previousRank} to ${rank}, ${xpText(xp)}${causes[cause]}`;
    }
    case "member.joined": {
      const { rank, xp, cause } = event.data;
      return `joined as ${rank}, ${xpText(xp)}${cause === "added" ? ", added" : ""}`;
    }
    case "member.left":
      return `left, now ${event.data.rank}, ${xpText(event.data.xp)}`;
    case "award.applied": {
      const { kind, applied, xp, reason } = event.data;
      const change = `${BigInt(applied) > 0n ? "+" : ""}${xpText(applied)}, now ${xpText(xp)}`;
      return `${kind === undefined ? "" : `${kind}: `}${change}${reason === undefined ? "" : `: ${reason}`}`;
    }
    case "batch.done": {
      const { batchId, applied, rejected } = event.data;
      return `${batchId}: ${count(applied, "award")} applied, ${grouped.format(rejected)} rejected`;
    }
    case "reversal.done": {
      const { reversalId, reversed, skipped } = event.data;
      return `${reversalId}: ${count(reversed, "award")} reversed, ${grouped.format(skipped)} skipped`;
    }
    case "ranks.changed": {
      const { ranks, rise, fall } = event.data;
      return `now ${ranks.map(({ name }) => name).join(", ")}; ${count(rise, "member")} up, ${grouped.format(fall)} down`;
    }
    case "period.final": {
      const { boardId, periodId, members, top } = event.data;
      const first = top[0] ? `; first: ${memberText(top[0].platformId)}, ${xpText(top[0].xp)}` : "";
      return `${boardId}, ${periodId}: ${count(members, "member")}${first}`;
    }
    case "events.erased":
      return `${count(event.data.eventIds.length, "event")} about an erased person`;
    case "key.created":
    case "key.revoked":
    case "key.rotated":
      return `API key ${event.data.name}`;
    case "destination.disabled":
      return `${event.data.name}: ${event.data.reason}`;
  }
}

type Cause = Extract<AnyEventResponse, { type: "member.rank_changed" }>["data"]["cause"];
const causes: Record<Cause, string> = {
  award: "",
  reversal: ", by a reversal",
  reset: ", by a reset",
  membership: ", by the membership",
  appointment: ", by an appointment",
};

function xpText(xp: string): string {
  return `${grouped.format(BigInt(xp))} XP`;
}

function count(number: number, what: string): string {
  return `${grouped.format(number)} ${what}${number === 1 ? "" : "s"}`;
}
