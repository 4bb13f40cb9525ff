// Assembles the sign-in: sessions, and the use cases that open one.
import { makeAuthenticators } from "#accounts/credentials/authenticators.ts";
import type { OidcConfig } from "#process/config.ts";
import { makeIdentityProvider } from "#accounts/credentials/identity-provider.ts";
import { makePasswords } from "#accounts/credentials/passwords.ts";
import { digest, randomText } from "#process/secrets.ts";
import { makeChallenges } from "#accounts/challenges.ts";
import { makeConfirmPerson } from "#accounts/confirm-person.ts";
import { makeDevices } from "#accounts/devices.ts";
import { makeIdentities } from "#accounts/identities.ts";
import { makeVerifyPassword } from "#accounts/verify-password.ts";
import { makePasskeys } from "#accounts/passkeys.ts";
import type { SignInLimit } from "#accounts/ports.ts";
import { makeSessions } from "#accounts/sessions.ts";
import { makeSignIn } from "#accounts/sign-in.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { Connections } from "./connections.ts";

type Deps = { oidc: OidcConfig | null; connections: Connections; limit: SignInLimit; clock: Clock; log: Log };

export function makeSignInMethods({ oidc, connections, limit, clock, log }: Deps) {
  const { accounts } = connections;
  const passwords = makePasswords();
  const sessions = makeSessions({ accounts, sessions: connections.sessions, clock, digest, randomText });
  const challenges = makeChallenges({ store: connections.challenges, clock, digest, randomText });
  const verifyPassword = makeVerifyPassword({ passwords, limit });
  const confirmPerson = makeConfirmPerson({ accounts, verifyPassword, clock });
  const devices = makeDevices({ digest, randomText });
  const common = { accounts, sessions, challenges, confirmPerson, limit, clock, digest, log };
  const provider = oidc && makeIdentityProvider({ oidc, clock, log });
  return {
    sessions,
    signIn: makeSignIn({ ...common, ...connections, sessions, devices, passwords, verifyPassword }),
    passkeys: makePasskeys({ ...common, store: connections.passkeys, authenticators: makeAuthenticators() }),
    identities: provider && makeIdentities({ ...common, store: connections.identities, provider }),
  };
}
