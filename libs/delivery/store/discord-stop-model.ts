// The collection of the stop for requests to Discord.

/**
 * One document of all requests, and one of each clan whose requests were rejected. `minutes`: rejected requests in each
 * of the last minutes. Times are MongoDB's.
 */
export type DiscordStopDoc = { _id: string; minutes: { at: Date; count: number }[]; restUntil: Date | null };

export function discordStopOf(clanId: string): string {
  return `clan/${clanId}`;
}

export const DISCORD_STOPS = { name: "discord_stops", indexes: [] };
