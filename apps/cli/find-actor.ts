// The person who runs the command, as named in the audit log: CLANXP_ACTOR, otherwise user@host
// (docs/reference/cli.md).
import { hostname, userInfo } from "node:os";
import { ACTOR_CHARS_MAX, isActorName, type Actor } from "#domain/audit.ts";
import { readSetting } from "#runtime/process/read-setting.ts";
import type { Environment } from "./find-servers.ts";
import { rejectFaults } from "./cli-error.ts";

/** Throws CliError `usage` if CLANXP_ACTOR cannot be a name. */
export function findActor(env: Environment): Actor {
  const faults: string[] = [];
  const given = readSetting(env, "CLANXP_ACTOR", faults);
  if (given !== null && !isActorName(given))
    faults.push(`CLANXP_ACTOR is not 1 to ${ACTOR_CHARS_MAX} characters of plain text`);
  rejectFaults(faults);
  return { actor: given ?? `${asWord(userName())}@${asWord(hostname())}`.slice(0, ACTOR_CHARS_MAX), via: "cli" };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have a number and no name.
    return process.getuid?.().toString() ?? "unknown";
  }
}

/** The characters that the parts of an address may have without quotes (RFC 5321). */
function asWord(text: string): string {
  return text.replaceAll(/[^\w.+-]/g, "_") || "unknown";
}
