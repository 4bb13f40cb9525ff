// What one person may use of the process at the same time, so that their requests slow down nobody else's: further
// requests wait, and further exports are rejected. The parts of all exports are read one after another, with a rest
// after each in which other requests are served.
import { AppError } from "#kernel/app-error.ts";
import { makeSlots } from "#async/slots.ts";
import { makeTakeTurn } from "#async/take-turn.ts";

export type Shares = {
  /**
   * Resolves when the person has less than their share of requests in progress. Call what it returns when the request
   * ends. Throws AppError `busy` if too many wait.
   */
  enter(person: string): Promise<() => void>;
  /** The same for an export, which never waits. */
  enterExport(person: string): Promise<() => void>;
  /** The same parts, each when it is its turn. */
  paced<Part>(parts: AsyncIterable<Part>): AsyncIterable<Part>;
};
export type ShareBounds = { requests: number; waiting: number; exports: number; allExports: number };

const BOUNDS: ShareBounds = {
  /** As many as a browser sends to a host by HTTP/1.1. */
  requests: 6,
  /** A dozen of pages that are opened together. */
  waiting: 100,
  exports: 2,
  allExports: 8,
};

export function makeShares(bounds: ShareBounds = BOUNDS): Shares {
  const requests = makeSlots({
    max: bounds.requests,
    waitingMax: bounds.waiting,
    full: () => busy("Too many of your requests are in progress."),
  });
  const exports = makeSlots({
    max: bounds.exports,
    waitingMax: 0,
    full: () => busy("Two of your exports are in progress."),
  });
  const allExports = makeSlots({
    max: bounds.allExports,
    waitingMax: 0,
    full: () => busy("Too many exports are in progress."),
  });

  return {
    enter: requests.take,

    async enterExport(person) {
      const leave = await exports.take(person);
      try {
        const leaveAll = await allExports.take();
        return () => {
          leaveAll();
          leave();
        };
      } catch (error) {
        leave();
        throw error;
      }
    },

    paced: makePaced(),
  };
}

function makePaced(): Shares["paced"] {
  const takeTurn = makeTakeTurn({ restsPerTurn: 1 });
  return async function* paced<Part>(parts: AsyncIterable<Part>) {
    const iterator: AsyncIterator<Part, unknown> = parts[Symbol.asyncIterator]();
    try {
      for (;;) {
        const result = await takeTurn("exports", () => iterator.next());
        if (result.done) return;
        yield result.value;
      }
    } finally {
      await iterator.return?.();
    }
  };
}

function busy(what: string): AppError {
  return new AppError("busy", `${what} Nothing was changed: try again when one of them has ended.`);
}
