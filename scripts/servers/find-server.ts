// Walks the list of providers and answers the first server that is here, or names every way that was tried.
// Two rounds: what is on this machine already wins over what would have to be fetched, so only the first start waits.

import { join } from "node:path";
import { withLock } from "../system/lock.js";

/** A program that can be started. */
export type Server = {
  command: string;
  env?: Record<string, string> | undefined;
  version: string;
  /** How a person would say where it comes from. */
  from: string;
  /** What a person should know who is given this one. */
  note?: string;
  /** It runs inside a container of this image, and `command` is the name in there. */
  image?: string;
};

export type Answer = { found: Server } | { reason: string };

export type Context = {
  cacheDir: string;
  /** False: only what is on this machine already. */
  mayFetch: boolean;
  log: (line: string) => void;
};

export type Provider = { title: string; find: (context: Context) => Promise<Answer> };

export type ChosenServer = Server & { why: string };

export type Wanted = {
  program: string;
  providers: Provider[];
  /** For a machine on which none of them works. */
  waysOut: string[];
};

/** `preferred` is the origin of the server that wrote the data, since another version may not read it. */
export async function findServer(
  { program, providers, waysOut }: Wanted,
  { cacheDir, log, preferred }: { cacheDir: string; log: (line: string) => void; preferred?: string | undefined },
): Promise<ChosenServer> {
  return withLock(join(cacheDir, `${program}.lock`), log, async () => {
    const reasons: Map<string, string> = new Map();
    for (const mayFetch of [false, true]) {
      const found: ChosenServer[] = [];
      for (const { title, find } of providers) {
        const answer = await find({ cacheDir, mayFetch, log });
        if ("reason" in answer) {
          reasons.set(title, answer.reason);
          continue;
        }
        const server = { ...answer.found, why: whyNotEarlier(title, providers, reasons) };
        if (!preferred || server.from === preferred) return server;
        found.push(server);
      }
      if (found[0]) return found[0];
    }
    throw new Error(nothingLeft(program, reasons, waysOut));
  });
}

function whyNotEarlier(chosen: string, providers: Provider[], reasons: Map<string, string>) {
  const earlier = providers.slice(
    0,
    providers.findIndex(({ title }) => title === chosen),
  );
  if (earlier.length === 0) return "first in the order";
  return earlier.map(({ title }) => `${title}: ${reasons.get(title) ?? "did not write this data"}`).join("; ");
}

function nothingLeft(program: string, reasons: Map<string, string>, waysOut: string[]) {
  return [
    `No ${program} could be found or fetched. Tried, in this order:`,
    ...[...reasons].map(([title, reason]) => `  ${title}: ${reason}`),
    "Solutions:",
    ...waysOut.map((way, index) => `  ${index + 1}. ${way}`),
  ].join("\n");
}
