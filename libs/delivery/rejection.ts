// Why a person's request about a destination was rejected. Nothing was changed then.
import type { Fault } from "#kernel/app-error.ts";

/** `faults`: of the fields of the request, if it is `invalid`. `refused`: by Roblox or Discord. */
export type DestinationRejection = {
  kind: "rejected";
  why:
    | "no_clan"
    | "no_destination"
    | "no_event"
    | "invalid"
    | "too_many"
    | "no_secrets_key"
    | "no_notifier"
    | "refused";
  detail: string;
  faults: readonly Fault[];
};

export function rejected(
  why: DestinationRejection["why"],
  detail: string,
  faults: readonly Fault[] = [],
): DestinationRejection {
  return { kind: "rejected", why, detail, faults };
}

export function noDestination(destinationId: string): DestinationRejection {
  return rejected("no_destination", `There is no destination ${destinationId}. Nothing was changed.`);
}

/** At least one fault. */
export function invalid(faults: readonly Fault[]): DestinationRejection {
  const [first] = faults;
  const what = first ? `${first.pointer.slice(1).replaceAll("~1", "/").replaceAll("~0", "~")} ${first.detail}` : "";
  return rejected("invalid", `${what.replace(/\.$/, "")}. Nothing was changed.`, faults);
}

export const NO_SECRETS_KEY =
  "SECRETS_KEY is not set, so secrets cannot be encrypted. npm start makes one; otherwise set it to 32 random bytes in base64, the same for every process. Nothing was changed.";
export const NOT_DECRYPTABLE =
  "The secrets of this destination cannot be decrypted: SECRETS_KEY is not the one that encrypted them. Restore that key, or enter the secrets again. Nothing was changed.";
