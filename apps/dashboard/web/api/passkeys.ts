// Passkeys in the browser. The code for them is loaded on first use.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { NewCredential, UsedCredential } from "#contract/dashboard/passkeys.ts";
import { ApiError } from "./api-error.ts";

type Options = Record<string, unknown>;

/** Browsers create no passkey for an IP address, and none without TLS except on localhost. */
export const passkeysAreSupported = "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Lets the person create a passkey. Throws ApiError if none was created. */
export async function createPasskey(options: Options): Promise<NewCredential> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const ceremony = { optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON };
  return startRegistration(ceremony).catch(explain);
}

/** Lets the person choose one of their passkeys. Throws ApiError if none was used. */
export async function requestPasskey(options: Options): Promise<UsedCredential> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const ceremony = { optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON };
  const { response, ...facts } = await startAuthentication(ceremony).catch(explain);
  // A discoverable passkey always has a user handle.
  return { ...facts, response: { ...response, userHandle: response.userHandle ?? "" } };
}

/** A default name for the device. */
export function deviceName(): string {
  const systems = ["iPhone", "iPad", "Android", "Macintosh", "Windows", "CrOS", "Linux"];
  const found = systems.find((system) => navigator.userAgent.includes(system));
  return found === undefined ? "Passkey" : found.replace("Macintosh", "Mac").replace("CrOS", "Chromebook");
}

function explain(error: unknown): never {
  const name = error instanceof Error ? error.name : "";
  const detail = details[name] ?? "The browser could not use a passkey. Try again.";
  throw new ApiError({ code: "passkey", detail, requestId: null });
}

const details: Record<string, string> = {
  NotAllowedError: "No passkey was used: the request was canceled, or it took too long. Try again.",
  InvalidStateError: "This device already has a passkey for your account.",
};
