// Many requests at little cost to the sender: made beforehand, written in blocks, their answers only counted.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export type Flood = { /** Answers by status. */ answered: Map<number, number>; total: number };

/** Writes each line's blocks one after the other, again from the first, the next one when all of a block is answered. */
export async function flood(world: {
  port: number;
  /** For each line: blocks of whole requests, and how many are in each. */
  lines: readonly (readonly { text: string; requests: number }[])[];
  endMs?: number;
  /** Blocks that each line writes at most. */
  roundsMax?: number;
  /** Between a line's blocks. */
  pauseMs?: number;
}): Promise<Flood> {
  const answered = new Map<number, number>();
  await Promise.all(world.lines.map((blocks) => pour(world, blocks, answered)));
  return { answered, total: [...answered.values()].reduce((sum, count) => sum + count, 0) };
}

async function pour(
  { port, endMs = Infinity, roundsMax = Infinity, pauseMs = 0 }: { port: number; endMs?: number; roundsMax?: number; pauseMs?: number },
  blocks: readonly { text: string; requests: number }[],
  answered: Map<number, number>,
): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.setEncoding("latin1").on("error", () => {});
  await once(socket, "connect");
  let missing = 0;
  let rest = "";
  let wake = Promise.withResolvers<void>();
  socket.on("data", (chunk: string) => {
    rest += chunk;
    for (const [, status] of rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
      answered.set(Number(status), (answered.get(Number(status)) ?? 0) + 1);
      missing -= 1;
    }
    // A status line may be cut between chunks.
    rest = rest.slice(Math.max(rest.lastIndexOf("HTTP/1.1 ") + "HTTP/1.1 xxx ".length, rest.length - "HTTP/1.1 xxx".length));
    if (missing <= 0) wake.resolve();
  });
  socket.on("close", () => wake.resolve());
  for (let turn = 0; turn < roundsMax && performance.now() < endMs && !socket.destroyed; turn += 1) {
    const block = blocks[turn % blocks.length];
    missing += block?.requests ?? 0;
    wake = Promise.withResolvers();
    socket.write(block?.text ?? "");
    await wake.promise;
    if (pauseMs > 0) await pause(pauseMs);
  }
  socket.destroy();
}
