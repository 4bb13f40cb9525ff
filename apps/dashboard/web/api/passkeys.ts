// Passkeys in the browser. What makes and uses them is loaded when somebody asks for it.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { NewCredential, UsedCredential } from "#contract/dashboard/passkeys.ts";
import { ApiError } from "./api-error.ts";

type Options = Record<string, unknown>;

/** Browsers make none for an IP address, and none without TLS but on localhost. */
export const passkeysAreSupported = "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Has the person create a passkey. Throws ApiError when there is none in the end. */
export async function createPasskey(options: Options): Promise<NewCredential> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const asked = { optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON };
  return startRegistration(asked).catch(explain);
}

/** Has the person choose one of their passkeys. Throws ApiError when none was used. */
export async function askForPasskey(options: Options): Promise<UsedCredential> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const asked = { optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON };
  const { response, ...facts } = await startAuthentication(asked).catch(explain);
  // A passkey that can be found without a name always has one.
  return { ...facts, response: { ...response, userHandle: response.userHandle ?? "" } };
}

/** What the person may take the device for, to begin with. */
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
