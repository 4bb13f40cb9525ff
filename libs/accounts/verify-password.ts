// Checks one guess of a password. A guess is counted before it is checked, so that concurrent guesses cannot exceed the
// limit. A guess that was not checked, or was correct, is subtracted again.
import type { AttemptSource, Passwords, SignInLimit } from "#accounts/ports.ts";

export type VerifyPassword = (attempt: {
  name: string;
  from: AttemptSource;
  password: string;
  /** Null: no password is correct. */
  hash: string | null;
}) => Promise<{ kind: "correct" } | { kind: "wrong" } | { kind: "limited"; retryAfterMs: number }>;

/** Throws AppError `busy`, `unavailable`. */
export function makeVerifyPassword({
  passwords,
  limit,
}: {
  passwords: Pick<Passwords, "verify">;
  limit: SignInLimit;
}): VerifyPassword {
  return async ({ name, from, password, hash }) => {
    const retryAfterMs = await limit.attempt(name, from);
    if (retryAfterMs > 0) return { kind: "limited", retryAfterMs };
    let isCorrect;
    try {
      isCorrect = await passwords.verify(password, hash);
    } catch (error) {
      await limit.subtract(name, from);
      throw error;
    }
    if (!isCorrect) return { kind: "wrong" };
    await limit.noteSuccess(name, from);
    return { kind: "correct" };
  };
}
