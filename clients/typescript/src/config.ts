// What a client is made with, checked once.
import type { Config } from "./attempt.ts";
import { callSettings } from "./call.ts";
import { check, checkObject } from "./check.ts";
import { ClanXpError } from "./error.ts";
import { clientOptions } from "./option-names.ts";
import { apiKeyFault, baseUrlFault } from "./setting-faults.ts";
import type { ClanXpOptions } from "./types.ts";

const DEFAULTS = { timeoutMs: 10_000, deadlineMs: 60_000, retries: 8 };

/** Throws `invalid_argument` with the first option that is wrong. */
export function configOf(options: ClanXpOptions): Config {
  checkObject("options", options, clientOptions);
  const { baseUrl, clanId, apiKey, fetch } = options;
  const fault = baseUrlFault(baseUrl) ?? (typeof apiKey === "function" ? undefined : apiKeyFault("apiKey", apiKey));
  if (fault !== undefined) throw new ClanXpError("invalid_argument", fault);
  check(
    typeof clanId === "string" && /^[\w-]{1,64}$/.test(clanId),
    "clanId must be a string of 1 to 64 characters of A-Z a-z 0-9 _ -",
  );
  check(fetch === undefined || typeof fetch === "function", "fetch must be a function");
  const { timeoutMs, deadlineMs, retries } = callSettings(DEFAULTS, options);
  return {
    clanUrl: `${baseUrl.replace(/\/+$/, "")}/v0/clans/${clanId}`,
    apiKey,
    fetch,
    timeoutMs,
    deadlineMs,
    retries,
  };
}
