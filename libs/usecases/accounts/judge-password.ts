// Checks one guess of a password. A guess is counted before it is checked, so that concurrent guesses cannot exceed the
// limit. A guess that was not checked, or was correct, is subtracted again.
import type { GuessSource, Passwords, SignInLimit } from "#usecases/accounts/ports.ts";

export type JudgePassword = (guess: {
  name: string;
  from: GuessSource;
  password: string;
  /** Null: no password is correct. */
  hash: string | null;
}) => Promise<{ kind: "right" } | { kind: "wrong" } | { kind: "limited"; retryAfterMs: number }>;

/** Throws AppError `busy`, `unavailable`. */
export function makeJudgePassword({
  passwords,
  limit,
}: {
  passwords: Pick<Passwords, "verify">;
  limit: SignInLimit;
}): JudgePassword {
  return async ({ name, from, password, hash }) => {
    const retryAfterMs = await limit.attempt(name, from);
    if (retryAfterMs > 0) return { kind: "limited", retryAfterMs };
    let isRight;
    try {
      isRight = await passwords.verify(password, hash);
    } catch (error) {
      await limit.takeBack(name, from);
      throw error;
    }
    if (!isRight) return { kind: "wrong" };
    await limit.forgive(name, from);
    return { kind: "right" };
  };
}
