// One setting of the environment, for every process and for the command line. Values are never part of a fault: they
// may be secret.
import { readFileSync } from "node:fs";

/** `<NAME>_FILE` names a file that holds the value. Null: not set, or empty. */
export function readSetting(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  faults: string[],
): string | null {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || null;
  if (env[name]) faults.push(`${name}_FILE and ${name} are both set: keep one`);
  try {
    return readFileSync(file, "utf8").trim() || null;
  } catch (error) {
    faults.push(`${name}_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/**
 * The address without a final slash, as browsers write an origin; null if the text is no such address, or has further
 * parts.
 */
export function originIn(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url?.pathname === "/" && !/[?#@]/.test(text) ? url.origin : null;
}

export const NO_ORIGIN = "is not an address such as https://clans.example.com, without a path";
