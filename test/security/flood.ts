// Many requests at little cost to the sender: made beforehand, written in blocks, their answers only counted.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export type Flood = {
  /** Answers by status. */ answered: Map<number, number>;
  total: number;
  /** Requests that were written. */ sent: number;
};

type Block = { text: string; requests: number };
/** How blocks follow on each other. */
type Pace = {
  /** No line writes another block once it is true. */
  ended?: () => boolean;
  /** Blocks that each line writes at most. */
  roundsMax?: number;
  /** Between a line's blocks. */
  pauseMs?: number;
  /**
   * A block falls due this often, whether those before it are answered or not; at the end all answers are waited for.
   */
  everyMs?: number;
  /** With `everyMs`: a line that is owed more answers than this leaves the block out. */
  unansweredMax?: number;
};

/** When so much time has gone by from now on. */
export function after(ms: number): () => boolean {
  const endMs = performance.now() + ms;
  return () => performance.now() >= endMs;
}

/**
 * Writes each line's blocks one after the other, again from the first, the next one when all of a block is answered.
 */
export async function flood(
  world: {
    port: number;
    /** For each line: blocks of whole requests, and how many are in each. */
    lines: readonly (readonly Block[])[];
  } & Pace,
): Promise<Flood> {
  const answered = new Map<number, number>();
  const sent = await Promise.all(world.lines.map((blocks) => pour(world, blocks, answered)));
  return { answered, total: sumOf(answered.values()), sent: sumOf(sent) };
}

function sumOf(counts: Iterable<number>): number {
  return [...counts].reduce((sum, count) => sum + count, 0);
}

/** Answers how many requests the line has written. */
async function pour(
  {
    port,
    ended = () => false,
    roundsMax = Infinity,
    pauseMs = 0,
    everyMs,
    unansweredMax = Infinity,
  }: { port: number } & Pace,
  blocks: readonly Block[],
  answered: Map<number, number>,
): Promise<number> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.setEncoding("latin1").on("error", () => {});
  await once(socket, "connect");
  let [sent, missing] = [0, 0];
  let rest = "";
  let wake = Promise.withResolvers<void>();
  socket.on("data", (chunk: string) => {
    rest += chunk;
    let counted = 0;
    for (const { 0: line, 1: status, index } of rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
      answered.set(Number(status), (answered.get(Number(status)) ?? 0) + 1);
      missing -= 1;
      counted = index + line.length;
    }
    // A status line may be cut between chunks.
    rest = rest.slice(Math.max(counted, rest.length - "HTTP/1.1 xxx".length));
    if (missing <= 0) wake.resolve();
  });
  socket.on("close", () => wake.resolve());
  const startMs = performance.now();
  for (let turn = 0; turn < roundsMax && !ended() && !socket.destroyed; turn += 1) {
    const block = blocks[turn % blocks.length];
    if (block && missing <= unansweredMax) {
      sent += block.requests;
      missing += block.requests;
      wake = Promise.withResolvers();
      socket.write(block.text);
    }
    if (everyMs === undefined) await wake.promise;
    const waitMs = everyMs === undefined ? pauseMs : startMs + (turn + 1) * everyMs - performance.now();
    if (waitMs > 0) await pause(waitMs);
  }
  if (missing > 0 && !socket.destroyed) await wake.promise;
  socket.destroy();
  return sent;
}
