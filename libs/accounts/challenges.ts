// A challenge for a person is bound to a cookie. Every secret of a challenge is derived from the cookie's text, so an
// answer is valid only in the browser that requested the challenge, once, and for a few minutes.
import type { Challenge, ChallengeKind, ChallengeStore } from "#accounts/ports.ts";
import { CHALLENGE_CHARS, CHALLENGE_MS } from "#accounts/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";

/** 43 base64url characters, different ones for each purpose; none reveals another. */
export type SecretOf = (purpose: string) => string;

export type Challenges = {
  /** `text`: for the cookie. */
  begin(kind: ChallengeKind, accountName: string | null): Promise<{ text: string; secretOf: SecretOf }>;
  /** The challenge of this cookie, for its only use; null if there is none of this kind. */
  consume(
    text: string | null,
    kind: ChallengeKind,
  ): Promise<(Pick<Challenge, "accountName"> & { secretOf: SecretOf }) | null>;
};

export function makeChallenges(deps: {
  store: ChallengeStore;
  clock: Clock;
  digest: Digest;
  randomText: (chars: number) => string;
}): Challenges {
  const { store, clock, digest, randomText } = deps;
  // None of them is the stored digest, so the database reveals no secret.
  const secretOf = (text: string) => (purpose: string) => digest(`${purpose} ${text}`);
  return {
    async begin(kind, accountName) {
      const text = randomText(CHALLENGE_CHARS);
      await store.add({
        hash: digest(text),
        kind,
        accountName,
        expiresAt: new Date(clock.now().getTime() + CHALLENGE_MS),
      });
      return { text, secretOf: secretOf(text) };
    },
    async consume(text, kind) {
      if (text === null) return null;
      const taken = await store.take(digest(text), kind, clock.now());
      return taken && { accountName: taken.accountName, secretOf: secretOf(text) };
    },
  };
}
