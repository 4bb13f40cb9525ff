// Admits requests while there is room, and tells all others at once that the service is busy. Nothing waits outside of this count.
import { AppError } from "#domain/app-error.ts";
import { BODY_BYTES_UNDER_WAY_MAX, REQUESTS_UNDER_WAY_MAX } from "./bounds.ts";

/** Counts bytes of a request's body until the request is answered; false where there is no room for them. */
export type HoldBytes = (bytes: number) => boolean;
export type Admission = {
  /** Runs a request, or throws AppError `busy`: then nothing was begun. */
  admit<T>(run: (holdBytes: HoldBytes) => Promise<T>): Promise<T>;
};

export function makeAdmission({ requestsMax = REQUESTS_UNDER_WAY_MAX, bytesMax = BODY_BYTES_UNDER_WAY_MAX } = {}): Admission {
  let requests = 0;
  let bytesHeld = 0;
  return {
    async admit(run) {
      if (requests >= requestsMax) throw busy();
      let mine = 0;
      requests += 1;
      try {
        return await run((bytes) => {
          if (bytesHeld + bytes > bytesMax) return false;
          mine += bytes;
          bytesHeld += bytes;
          return true;
        });
      } finally {
        requests -= 1;
        bytesHeld -= mine;
      }
    },
  };
}

export function busy(): AppError {
  return new AppError("busy", "Too many requests are under way. Nothing was applied: try again shortly.");
}
