// How people get in, wired: sessions, and what opens one.
import { makeAuthenticators } from "#runtime/process/authenticators.ts";
import { makePasswords } from "#runtime/process/passwords.ts";
import { digest, randomText } from "#runtime/process/secrets.ts";
import { makeChallenges } from "#usecases/accounts/challenges.ts";
import { makeConfirmPerson } from "#usecases/accounts/confirm-person.ts";
import { makePasskeys } from "#usecases/accounts/passkeys.ts";
import type { SignInLimit } from "#usecases/accounts/ports.ts";
import { makeSessions } from "#usecases/accounts/sessions.ts";
import { makeSignIn } from "#usecases/accounts/sign-in.ts";
import type { Clock } from "#usecases/ports.ts";
import type { Connections } from "./connections.ts";

export function makeWaysIn({ connections, limit, clock }: { connections: Connections; limit: SignInLimit; clock: Clock }) {
  const { accounts, sessions: stored, passkeys: store } = connections;
  const passwords = makePasswords();
  const sessions = makeSessions({ accounts, sessions: stored, clock, digest, randomText });
  const challenges = makeChallenges({ store: connections.challenges, clock, digest, randomText });
  const confirmPerson = makeConfirmPerson({ accounts, passwords, limit, clock });
  const common = { accounts, stored, sessions, confirmPerson, limit, clock, digest };
  return {
    sessions,
    signIn: makeSignIn({ ...common, passwords }),
    passkeys: makePasskeys({ ...common, store, challenges, authenticators: makeAuthenticators() }),
  };
}
