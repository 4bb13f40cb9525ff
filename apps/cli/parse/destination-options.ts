// Parses the options of `destination add` and `destination set`. Secrets come from files or standard input, never from
// the command line, which every process of the machine may read.
import { readFileSync } from "node:fs";
import type { Fault } from "#kernel/app-error.ts";
import { destinationKinds, onlyChoices, type DestinationKind } from "#domain/destination.ts";
import type { RoleChanges } from "#domain/role-change.ts";
import type { SettingChanges } from "#delivery/change-destination.ts";
import { didYouMean } from "../cli-error.ts";
import { eventTypesIn } from "./event-types.ts";
import { timestampIn, type Faults } from "./options.ts";

export type SettingOptions = {
  name?: string;
  urlFile?: string;
  role?: readonly string[];
  requestsPerMinute?: string;
  type?: readonly string[];
  only?: string;
} & { [Option in TargetOption | CredentialOption]?: string };

export function kindIn(text: string, faults: Faults): DestinationKind {
  const kind = destinationKinds.find((known) => known === text);
  if (!kind)
    faults.push(`--kind is one of ${destinationKinds.join(", ")}, not "${text}".${didYouMean(text, destinationKinds)}`);
  return kind ?? "webhook";
}

/** What the options name. */
export function settingsIn(options: SettingOptions, kind: DestinationKind, faults: Faults): SettingChanges {
  const { name, urlFile, role, requestsPerMinute, type, only } = options;
  const own = optionsOf[kind];
  for (const option of ["group", "guild", "apiKeyFile", "tokenFile"] as const) {
    if (options[option] !== undefined && option !== own.target && option !== own.credential)
      faults.push(`${flagOf(option)} is not an option of a ${kind} destination`);
  }
  const [target, credentialFile] = [own.target && options[own.target], own.credential && options[own.credential]];
  const choice = onlyChoices.find((known) => known === only) ?? null;
  if (only !== undefined && only !== "all" && !choice)
    faults.push(`--only is ${onlyChoices.join(", ")} or all, not "${only}"`);
  return {
    ...(name === undefined ? {} : { name }),
    ...(urlFile === undefined ? {} : { url: secretIn("--url-file", urlFile, faults) }),
    ...(target === undefined ? {} : { target }),
    ...(credentialFile === undefined ? {} : { credential: secretIn(flagOf(own.credential), credentialFile, faults) }),
    ...(role === undefined ? {} : { roleChanges: rolesIn(role, faults) }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute: rateIn(requestsPerMinute) }),
    ...(type === undefined ? {} : { types: eventTypesIn(type, faults) }),
    ...(only === undefined ? {} : { only: choice }),
  };
}

export function fromIn(text: string, faults: Faults): "now" | "oldest" | Date {
  if (text === "now" || text === "oldest") return text;
  if (/^[a-z]/i.test(text)) faults.push(`--from is oldest, now, or a timestamp with time zone, not "${text}"`);
  return /^[a-z]/i.test(text) ? "now" : timestampIn("--from", text, faults);
}

type TargetOption = "group" | "guild";
type CredentialOption = "apiKeyFile" | "tokenFile";
const optionsOf: Record<DestinationKind, { target?: TargetOption; credential?: CredentialOption }> = {
  webhook: {},
  discord: {},
  "roblox-group": { target: "group", credential: "apiKeyFile" },
  "discord-roles": { target: "guild", credential: "tokenFile" },
};

/** A fault of a field, as a sentence about the option. */
export function optionFault({ pointer, detail }: Fault, kind: DestinationKind): string {
  const [, field = "", inner] = pointer.split("/");
  const own = optionsOf[kind];
  const flag =
    field === "target" || field === "credential"
      ? flagOf(own[field] ?? field)
      : field === "roles" && inner !== undefined
        ? `--role "${inner.replaceAll("~1", "/").replaceAll("~0", "~")}=…"`
        : (flags[field] ?? flagOf(field));
  return /^\p{Lu}/u.test(detail) ? `${flag}: ${detail}` : `${flag} ${detail}`;
}

const flags: Record<string, string> = { url: "--url-file", types: "--type", roles: "--role" };

function flagOf(option: string | undefined): string {
  return `--${(option ?? "").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The text of the file, without white space around it; `-`: of standard input. */
function secretIn(option: string, path: string, faults: Faults): string {
  try {
    const text = readFileSync(path === "-" ? process.stdin.fd : path, "utf8").trim();
    if (text === "") faults.push(`${option} "${path}" is empty`);
    return text;
  } catch (error) {
    faults.push(`${option} "${path}" cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return "";
  }
}

/** RANK=ROLEID, or RANK=none, parsed from the right, because a rank's name may contain "=". */
function rolesIn(specs: readonly string[], faults: Faults): RoleChanges {
  const roles = new Map<string, string | null>();
  for (const spec of specs) {
    const at = spec.lastIndexOf("=");
    const [rank, roleId] = [spec.slice(0, Math.max(at, 0)), spec.slice(at + 1)];
    if (rank === "" || roleId === "") faults.push(`--role "${spec}": it is RANK=ROLEID, or RANK=none`);
    else if (roleId === "none") roles.set(rank, null);
    else roles.set(rank, roleId);
  }
  return Object.fromEntries(roles);
}

/** NaN is a fault of the use case. */
function rateIn(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
}
