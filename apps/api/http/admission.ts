// Admits requests while there is capacity, and answers all others `busy` immediately. One key gets only a share of the
// capacity, so that capacity for the requests of other keys always remains.
import { AppError } from "#kernel/app-error.ts";
import type { HoldBytes } from "#http/read-body.ts";
import {
  AWARDS_PER_KEY_MAX,
  BODY_BYTES_PER_KEY_MAX,
  BODY_BYTES_UNDER_WAY_MAX,
  REQUESTS_PER_KEY_MAX,
  REQUESTS_UNDER_WAY_MAX,
} from "./bounds.ts";

/** The admission of one request. */
export type Ticket = {
  /** Counts the request for its key, too. Throws AppError `busy` if the key has used its share. */
  chargeTo(keyId: string): void;
  holdBytes: HoldBytes;
  /**
   * Counts awards that are to be committed, until the request is answered. Throws AppError `busy` if the key has used
   * its share.
   */
  holdAwards(awards: number): void;
  leave(): void;
};
export type Admission = {
  /** Throws AppError `busy`; then nothing was begun. */
  enter(): Ticket;
};
export type Limits = {
  requestsMax: number;
  bytesMax: number;
  requestsPerKeyMax: number;
  bytesPerKeyMax: number;
  awardsPerKeyMax: number;
};
type Share = { requests: number; bytes: number; awards: number };

const LIMITS: Limits = {
  requestsMax: REQUESTS_UNDER_WAY_MAX,
  bytesMax: BODY_BYTES_UNDER_WAY_MAX,
  requestsPerKeyMax: REQUESTS_PER_KEY_MAX,
  bytesPerKeyMax: BODY_BYTES_PER_KEY_MAX,
  awardsPerKeyMax: AWARDS_PER_KEY_MAX,
};

export function makeAdmission(changes: Partial<Limits> = {}): Admission {
  const { requestsMax, bytesMax, requestsPerKeyMax, bytesPerKeyMax, awardsPerKeyMax } = { ...LIMITS, ...changes };
  // The committer counts the awards of all keys.
  const all: Omit<Share, "awards"> = { requests: 0, bytes: 0 };
  const byKey = new Map<string, Share>();

  return {
    enter() {
      if (all.requests >= requestsMax) throw busy("Too many requests are in progress.");
      all.requests += 1;
      let [bytesHeld, awardsHeld] = [0, 0];
      let ofKey: { keyId: string; share: Share } | null = null;
      return {
        chargeTo(keyId) {
          const share = byKey.get(keyId) ?? { requests: 0, bytes: 0, awards: 0 };
          if (share.requests >= requestsPerKeyMax) throw busy("Too many requests of this API key are in progress.");
          share.requests += 1;
          byKey.set(keyId, share);
          ofKey = { keyId, share };
        },
        holdBytes(bytes) {
          if (all.bytes + bytes > bytesMax || (ofKey && ofKey.share.bytes + bytes > bytesPerKeyMax))
            return busy("Too many request bodies are in progress.");
          bytesHeld += bytes;
          all.bytes += bytes;
          if (ofKey) ofKey.share.bytes += bytes;
          return null;
        },
        holdAwards(awards) {
          if (!ofKey) return;
          if (ofKey.share.awards + awards > awardsPerKeyMax) throw busy("Too many awards of this API key are waiting.");
          awardsHeld += awards;
          ofKey.share.awards += awards;
        },
        leave() {
          all.requests -= 1;
          all.bytes -= bytesHeld;
          if (!ofKey) return;
          ofKey.share.requests -= 1;
          ofKey.share.bytes -= bytesHeld;
          ofKey.share.awards -= awardsHeld;
          if (ofKey.share.requests === 0) byKey.delete(ofKey.keyId);
        },
      };
    },
  };
}

function busy(what: string): AppError {
  return new AppError("busy", `${what} Nothing was applied. Retry after the time in Retry-After.`);
}
