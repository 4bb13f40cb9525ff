// Workers take turns between clans, so that the backlog of one clan does not delay another clan's batch.
//
// A turn is a share of work, and the priority of a job in BullMQ. A clan's batches fill its next turns, one after the
// other; a clan without waiting batches begins at the current turn. So at most one turn of each other clan precedes its
// batch. Redis stores the current turn and the end of each clan's last turn, and may lose them: the recovery scan
// assigns turns again. Jobs of version 0.1.0 have no priority and come first.
import type { Redis } from "ioredis";
import { AWARDS_PER_TURN, BATCH_AWARDS_MIN, TURN_CLANS_MAX, TURN_MAX } from "#queue/bounds.ts";
import type { BatchToRun } from "#batches/ports.ts";

/**
 * KEYS: the turns; no clan has the id `:served`. ARGV: clan, the batch's work, work in a turn, largest turn, most
 * clans. Beyond either bound the turns of all clans start again.
 */
const TAKE_TURN = `
local work, perTurn, served = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(redis.call('HGET', KEYS[1], ':served') or '0')
local from = math.max(served * perTurn, tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0'))
if from / perTurn >= tonumber(ARGV[4]) or redis.call('HLEN', KEYS[1]) > tonumber(ARGV[5]) then
  redis.call('DEL', KEYS[1])
  from = 0
end
redis.call('HSET', KEYS[1], ARGV[1], from + work)
return math.floor(from / perTurn) + 1`;

/** KEYS: the turns. ARGV: turns before the current one. */
const NOTE_SERVED = `
if tonumber(ARGV[1]) > tonumber(redis.call('HGET', KEYS[1], ':served') or '0') then redis.call('HSET', KEYS[1], ':served', ARGV[1]) end`;

type TurnCommands = {
  takeTurn(
    turns: string,
    clanId: string,
    work: number,
    perTurn: number,
    turnMax: number,
    clansMax: number,
  ): Promise<number>;
  noteServed(turns: string, served: number): Promise<null>;
};

export type Turns = {
  /** The priority of the job that is about to be added for this batch. */
  take(batch: BatchToRun): Promise<number>;
  /** A job of this priority is being run. */
  noteServed(priority: number): Promise<unknown>;
};

/** Throws if Redis does. */
export function openTurns({ redis, namespace }: { redis: Redis; namespace: string }): Turns {
  redis.defineCommand("takeTurn", { lua: TAKE_TURN, numberOfKeys: 1 });
  redis.defineCommand("noteServed", { lua: NOTE_SERVED, numberOfKeys: 1 });
  const commands = redis as unknown as TurnCommands;
  const turns = `${namespace}:turns`;
  return {
    take: ({ clanId, awards }) =>
      commands.takeTurn(turns, clanId, Math.max(awards, BATCH_AWARDS_MIN), AWARDS_PER_TURN, TURN_MAX, TURN_CLANS_MAX),
    noteServed: (priority) => commands.noteServed(turns, priority - 1),
  };
}
