// Returns the first server of the list of providers, or lists every provider with its reason. It makes two passes:
// servers on this machine take precedence over downloads, so only the first start waits.

import { join } from "node:path";
import { withLock } from "../system/lock.js";

/** A program that can be started. */
export type Server = {
  command: string;
  env?: Record<string, string> | undefined;
  version: string;
  /** Its origin, for people. */
  from: string;
  /** A note for users of this server. */
  note?: string;
  /** It runs inside a container of this image, and `command` is the program's name in the container. */
  image?: string;
};

export type Answer = { found: Server } | { reason: string };

export type Context = {
  cacheDir: string;
  /** False: only servers that are already on this machine. */
  mayFetch: boolean;
  log: (line: string) => void;
};

export type Provider = { title: string; find: (context: Context) => Promise<Answer> };

/** `notFrom`: the providers before its own, none of which has a usable server; `why`: each with its reason. */
export type ChosenServer = Server & { notFrom: string[]; why: string };

export type ServerRequirement = {
  program: string;
  providers: Provider[];
  /** Solutions for a machine on which no provider works. */
  remedies: string[];
  /** What to do if this machine's processor lacks an instruction of the program. */
  processor?: string;
};

/** The end of a program whose processor lacks an instruction, also in a container: 128 and the number of the signal. */
const ILLEGAL_INSTRUCTION = /\bSIGILL\b|\b(?:with|code) 132\b/;

export function processorRemedies({ processor }: ServerRequirement, reason: string): string[] {
  return processor !== undefined && ILLEGAL_INSTRUCTION.test(reason) ? [processor] : [];
}

/** `preferred` is the origin of the server that wrote the data, since another version may not read it. */
export async function findServer(
  requirement: ServerRequirement,
  { cacheDir, log, preferred }: { cacheDir: string; log: (line: string) => void; preferred?: string | undefined },
): Promise<ChosenServer> {
  const { program, providers } = requirement;
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
        const notFrom = titlesBefore(title, providers);
        const server = { ...answer.found, notFrom, why: whyNotEarlier(notFrom, reasons) };
        if (!preferred || server.from === preferred) return server;
        found.push(server);
      }
      if (found[0]) return found[0];
    }
    throw new Error(nothingLeft(requirement, reasons));
  });
}

function titlesBefore(chosen: string, providers: Provider[]) {
  const titles = providers.map(({ title }) => title);
  return titles.slice(0, titles.indexOf(chosen));
}

function whyNotEarlier(notFrom: string[], reasons: Map<string, string>) {
  if (notFrom.length === 0) return "the first choice";
  return notFrom.map((title) => `${title}: ${reasons.get(title) ?? "did not write this data"}`).join("; ");
}

function nothingLeft(requirement: ServerRequirement, reasons: Map<string, string>) {
  const tried = [...reasons].map(([title, reason]) => `  ${title}: ${reason}`);
  const ofProcessor = processorRemedies(requirement, tried.join("\n"));
  const ways = requirement.remedies.map((way, index) => `  ${index + 1}. ${way}`);
  return [
    `No ${requirement.program} could be found or fetched. Tried, in this order:`,
    ...tried,
    // Another build of the program would end alike.
    ...(ofProcessor.length > 0 ? ofProcessor : ["Solutions:", ...ways]),
  ].join("\n");
}
