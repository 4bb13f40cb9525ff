// Decrypts what a destination needs to send, for the notifier and for changes of a part of it.
import type { DestinationSecrets } from "#domain/destination.ts";
import type { Sealer, StoredDestination } from "#delivery/ports.ts";

/** Null if no key opens them. */
export function secretsIn(
  { destination, sealed }: Pick<StoredDestination, "destination" | "sealed">,
  sealer: Pick<Sealer, "open">,
): DestinationSecrets | null {
  const text = sealer.open(sealed, destination.destinationId);
  return text === null ? null : parseSecrets(text);
}

export function parseSecrets(text: string): DestinationSecrets {
  const secrets = JSON.parse(text) as DestinationSecrets;
  if (secrets.kind !== "webhook") return secrets;
  // JSON has no times.
  const signing = secrets.signing.map((one) => ({ ...one, endsAt: one.endsAt && new Date(one.endsAt) }));
  return { ...secrets, signing };
}

export function credentialIn(stored: StoredDestination, sealer: Sealer): string | null {
  const secrets = secretsIn(stored, sealer);
  return secrets && "credential" in secrets ? secrets.credential : null;
}
