// The bytes that the body of a request may have. Large ones, which only some endpoints accept, share a capacity until
// they are answered, so that they cannot use up the memory of the process together.
import type { Response } from "express";
import { AppError } from "#kernel/app-error.ts";
import type { DashboardEndpoint } from "#contract/dashboard/endpoint.ts";
import type { BodyLimits } from "#http/read-body.ts";

/** The largest change, a clan's 100 ranks, takes a tenth of this size. */
const BODY_BYTES_MAX = 128 * 1024;
/** Four of the largest at the same time; parsed, each takes several times its size. */
const LARGE_BYTES_MAX = 32 * 1024 * 1024;

export type LimitsOf = (row: Pick<DashboardEndpoint, "bodyBytesMax">, res: Response) => BodyLimits;

export function makeBodyLimits(): LimitsOf {
  let held = 0;

  return ({ bodyBytesMax: bytesMax = BODY_BYTES_MAX }, res) => {
    const limits = { bytesMax, tooLarge: "The request body is too large. Nothing was changed." };
    if (bytesMax === BODY_BYTES_MAX) return { ...limits, hold: () => null };
    let own = 0;
    res.once("close", () => {
      held -= own;
    });
    return {
      ...limits,
      hold(bytes) {
        if (held + bytes > LARGE_BYTES_MAX)
          return new AppError("busy", "Too many files are being sent at the same time. Try again in a minute.");
        held += bytes;
        own += bytes;
        return null;
      },
    };
  };
}
