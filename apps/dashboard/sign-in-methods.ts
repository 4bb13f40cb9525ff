// Assembles the sign-in: sessions, and the use cases that open one.
import { makeAuthenticators } from "#runtime/process/authenticators.ts";
import type { OidcConfig } from "#runtime/process/config.ts";
import { makeIdentityProvider } from "#runtime/process/identity-provider.ts";
import { makePasswords } from "#runtime/process/passwords.ts";
import { digest, randomText } from "#runtime/process/secrets.ts";
import { makeChallenges } from "#usecases/accounts/challenges.ts";
import { makeConfirmPerson } from "#usecases/accounts/confirm-person.ts";
import { makeDevices } from "#usecases/accounts/devices.ts";
import { makeIdentities } from "#usecases/accounts/identities.ts";
import { makeVerifyPassword } from "#usecases/accounts/verify-password.ts";
import { makePasskeys } from "#usecases/accounts/passkeys.ts";
import type { SignInLimit } from "#usecases/accounts/ports.ts";
import { makeSessions } from "#usecases/accounts/sessions.ts";
import { makeSignIn } from "#usecases/accounts/sign-in.ts";
import type { Clock, Log } from "#runtime/ports.ts";
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
