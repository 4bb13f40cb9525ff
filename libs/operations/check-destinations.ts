// What the doctor says about destinations: whether their secrets can be decrypted, and whether their events are sent.
import { HOLD_MS } from "#delivery/bounds.ts";
import type { Sealer } from "#delivery/ports.ts";
import { fail, ok, warn, type Check } from "#operations/check.ts";
import type { DestinationFacts } from "#operations/ports.ts";

/** The retries of single events take longer; an event that was not sent once for so long requires attention. */
const EVENT_AGE_MAX_MS = 600_000;

/** `open`: null if SECRETS_KEY is not set. */
export function checkDestinations(facts: DestinationFacts, open: Sealer["open"] | null): Check[] {
  return [secretsCheck(facts, open), notifierCheck(facts), deliveriesCheck(facts)];
}

function secretsCheck({ sealed }: DestinationFacts, open: Sealer["open"] | null): Check {
  const name = "secrets key";
  if (!open) {
    const fix = "Set SECRETS_KEY as in the notifier; npm start keeps it in DATA_DIR/secrets-key.";
    return sealed.length === 0
      ? ok(name, "not set: destinations cannot be added")
      : fail(name, `not set, so that the secrets of ${sealed.length} destinations cannot be decrypted`, fix);
  }
  const closed = sealed.filter((one) => open(one.sealed, one.destinationId) === null).length;
  if (closed === 0) return ok(name, `decrypts the secrets of ${sealed.length} destinations`);
  return fail(
    name,
    `does not decrypt the secrets of ${closed} of ${sealed.length} destinations: their events wait`,
    "Add the former key to SECRETS_KEY, after a comma (docs/how-to/runbook.md#clanxpsecretskeywrong).",
  );
}

function notifierCheck({ sealed, notifierSilentMs }: DestinationFacts): Check {
  const name = "notifier";
  if (notifierSilentMs !== null && notifierSilentMs < HOLD_MS) return ok(name, "running");
  if (sealed.length === 0) return ok(name, "none is running, and no destination exists");
  const detail = "none is running: destinations receive nothing";
  return fail(name, detail, "Start one: npm run notifier; npm start, Compose and Helm run it too.");
}

function deliveriesCheck({ oldestEventMs }: DestinationFacts): Check {
  const name = "deliveries";
  if (oldestEventMs === null) return ok(name, "none is waiting for an active destination");
  const detail = `the oldest event that an active destination has not received is ${Math.round(Math.max(0, oldestEventMs) / 1_000)} s old`;
  if (oldestEventMs <= EVENT_AGE_MAX_MS) return ok(name, detail);
  return warn(
    name,
    detail,
    "clanxp destination list names those that are behind (docs/how-to/runbook.md#clanxpdeliverieslate).",
  );
}
