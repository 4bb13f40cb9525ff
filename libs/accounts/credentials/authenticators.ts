// Passkeys of browsers (Web Authentication, Level 3): discoverable, with the person verified by the device, without
// attestation.
import type { Authenticators, Passkey } from "#accounts/ports.ts";

const SITE_NAME = "Clan XP";
/**
 * EdDSA, ES256, RS256: every authenticator supports one. The library would add one more, which is experimental in Node.
 */
const ALGORITHMS = [-8, -7, -257];
/** The browser waits this long for the person; the challenge is valid slightly longer. */
const PERSON_MS = 4 * 60_000;

export function makeAuthenticators(): Authenticators {
  // Loaded with the first passkey: it contains parsers of all kinds of certificates, which a process without passkeys
  // never needs.
  const library = () => import("@simplewebauthn/server");

  return {
    async optionsToAdd({ site, challenge, account, known }) {
      const { generateRegistrationOptions } = await library();
      return generateRegistrationOptions({
        rpName: SITE_NAME,
        rpID: site.rpId,
        userName: account.name,
        userDisplayName: account.name,
        userID: bytesOf(account.handle),
        challenge: bytesOf(challenge),
        timeout: PERSON_MS,
        attestationType: "none",
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: known.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
    },

    async optionsToSignIn({ site, challenge }) {
      const { generateAuthenticationOptions } = await library();
      return generateAuthenticationOptions({
        rpID: site.rpId,
        challenge: bytesOf(challenge),
        timeout: PERSON_MS,
        userVerification: "required",
      });
    },

    async verifyRegistration({ site, challenge, credential }) {
      const { verifyRegistrationResponse } = await library();
      const verified = await nullIfInvalid(
        verifyRegistrationResponse({
          response: { ...credential, clientExtensionResults: {} },
          expectedChallenge: challenge,
          expectedOrigin: site.origin,
          expectedRPID: site.rpId,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      );
      if (!verified?.verified) return null;
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey).toString("base64url"), counter };
    },

    async verifyAuthentication({ site, challenge, credential, passkey }) {
      const { verifyAuthenticationResponse } = await library();
      const verified = await nullIfInvalid(
        verifyAuthenticationResponse({
          response: { ...credential, clientExtensionResults: {} },
          expectedChallenge: challenge,
          expectedOrigin: site.origin,
          expectedRPID: site.rpId,
          requireUserVerification: true,
          credential: keyOf(passkey),
        }),
      );
      return verified?.verified ? { counter: verified.authenticationInfo.newCounter } : null;
    },
  };
}

/** Without the counter: a library's error for one that does not rise would be that of a false signature. */
function keyOf({ id, publicKey }: Passkey) {
  return { id, publicKey: bytesOf(publicKey), counter: 0 };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, "base64url"));
}

/** The library throws for every invalid input of a browser, and makes no network calls. */
async function nullIfInvalid<T>(verifying: Promise<T>): Promise<T | null> {
  try {
    return await verifying;
  } catch {
    return null;
  }
}
