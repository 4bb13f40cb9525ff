// The collection of the stop for requests to Discord.
import { Schema } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";

/**
 * One document of all requests, and one of each clan whose requests were rejected. `minutes`: rejected requests in each
 * of the last minutes. Times are MongoDB's.
 */
export type DiscordStopDoc = { _id: string; minutes: { at: Date; count: number }[]; restUntil: Date | null };

export function discordStopOf(clanId: string): string {
  return `clan/${clanId}`;
}

const discordStopSchema = new Schema<DiscordStopDoc>(
  {
    _id: { type: String, required: true },
    minutes: { type: [{ _id: false, at: Date, count: Number }], default: [] },
    restUntil: { type: Date, default: null },
  },
  SCHEMA_OPTIONS,
);

export const discordStopModel = defineModel<DiscordStopDoc>("discord_stop", discordStopSchema, "discord_stops");
