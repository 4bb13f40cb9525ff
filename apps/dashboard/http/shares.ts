// What one person may use of the process at the same time, so that their requests slow down nobody else's: further
// requests wait, and further exports are rejected. The parts of all exports are read one after another, with a rest
// after each in which other requests are served.
import { AppError } from "#domain/app-error.ts";
import { makeTakeTurn } from "#async/take-turn.ts";

export type Shares = {
  /**
   * Resolves when the person has less than their share of requests in progress. Call what it returns when the request
   * ends. Throws AppError `busy` if too many wait.
   */
  enter(person: string): Promise<() => void>;
  /** The same for an export, which never waits. */
  enterExport(person: string): () => void;
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

type Share = { running: number; exports: number; waiting: (() => void)[] };

export function makeShares(bounds: ShareBounds = BOUNDS): Shares {
  const shares = new Map<string, Share>();
  let allExports = 0;

  function shareOf(person: string): Share {
    const share = shares.get(person) ?? { running: 0, exports: 0, waiting: [] };
    shares.set(person, share);
    return share;
  }

  function leave(person: string, share: Share): void {
    const next = share.waiting.shift();
    // The one that waited takes the place over.
    if (next) next();
    else share.running -= 1;
    forgetUnused(person, share);
  }

  function forgetUnused(person: string, { running, exports }: Share): void {
    if (running === 0 && exports === 0) shares.delete(person);
  }

  return {
    async enter(person) {
      const share = shareOf(person);
      if (share.running < bounds.requests) share.running += 1;
      else if (share.waiting.length >= bounds.waiting) throw busy("Too many of your requests are in progress.");
      else await new Promise<void>((resolve) => share.waiting.push(resolve));
      return () => leave(person, share);
    },

    enterExport(person) {
      const share = shareOf(person);
      if (share.exports >= bounds.exports) throw busy("Two of your exports are in progress.");
      if (allExports >= bounds.allExports) throw busy("Too many exports are in progress.");
      share.exports += 1;
      allExports += 1;
      return () => {
        share.exports -= 1;
        allExports -= 1;
        forgetUnused(person, share);
      };
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
