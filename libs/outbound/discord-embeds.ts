// What people read in Discord about events. Everything that callers and members choose is escaped: it formats nothing,
// mentions nobody and links nowhere.
import { eventResponse } from "#contract/event-response.ts";
import { changeText } from "#contract/event-text.ts";
import type { ClanEvent, EventType } from "#domain/event.ts";
import { isolated } from "#domain/isolated.ts";

/** Discord: 4,096 characters in a description, 6,000 in the ten embeds of a message together. */
const TEXT_CHARS_MAX = 240;
const SUMMARY_CHARS_MAX = 3_500;

export type Embed = { title: string; description: string; timestamp?: string };

export function embedOf(event: ClanEvent): Embed {
  const { title, description } = textOf(event);
  return { title, description, timestamp: event.at.toISOString() };
}

function textOf(event: ClanEvent): Embed {
  switch (event.type) {
    case "member.rank_changed": {
      const { direction, rank, xp } = event.data;
      const title = direction === "up" ? "Rank up" : "Rank down";
      return { title, description: `${memberOf(event.data)} is now ${bold(rank)} (${xpText(xp)})` };
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
    case "ranks.changed": {
      const change = escaped(changeText(eventResponse(event)));
      return { title: titles[event.type], description: change.replace(/^./, (first) => first.toUpperCase()) };
    }
    default:
      return { title: titles[event.type], description: escaped(changeText(eventResponse(event))) };
  }
}

const titles: Record<EventType, string> = {
  "member.rank_changed": "Rank changed",
  "member.joined": "New member",
  "member.left": "Member left",
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
