// Finds every fault of what a person enters about a destination, before anything is changed. What only the receiver
// knows, such as the ids of its roles, is checked by inspect-roles.ts.
import type { Fault } from "#kernel/app-error.ts";
import type { Clan } from "#domain/clan.ts";
import {
  DESTINATION_NAME_CHARS_MAX,
  DESTINATION_URL_CHARS_MAX,
  isDestinationName,
  isRoleKind,
  REQUESTS_PER_MINUTE_MAX,
  REQUESTS_PER_MINUTE_MIN,
  type DestinationKind,
  type MessageKind,
  type OnlyChoice,
} from "#domain/destination.ts";
import type { EventType } from "#domain/event.ts";

/** Role ids by the names of ranks. */
type Roles = Readonly<Record<string, string>>;

/** The fields that a person enters; of a change, those that change. `credential`: an Open Cloud key or a bot token. */
export type DestinationSettings = {
  name?: string;
  url?: string;
  types?: readonly EventType[];
  only?: OnlyChoice | null;
  target?: string;
  credential?: string;
  roles?: Roles;
  requestsPerMinute?: number;
};

/** What may be entered as the URL of a destination, and how it is shown. */
export type UrlRules = {
  /** The end of a sentence that begins with the field's name; null if requests may be sent there now. */
  findFault(kind: MessageKind, url: string): Promise<string | null>;
  mask(kind: MessageKind, url: string): string;
};

/** Longer than every Open Cloud key. */
const CREDENTIAL_CHARS_MAX = 4_096;
const ID = /^[1-9]\d{0,19}$/;

/** `mapped`: the stored mapping, which may have ranks that the clan has not any more. */
export async function findSettingFaults(
  kind: DestinationKind,
  settings: DestinationSettings,
  { clan, urls, mapped = {} }: { clan: Clan; urls: UrlRules; mapped?: Roles },
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const fault = (field: string, detail: string): void => void faults.push({ pointer: `/${field}`, detail });
  const { name, url, types, only, target, credential, roles, requestsPerMinute } = settings;

  for (const field of foreignFields(kind, settings)) fault(field, `is not a setting of a ${kind} destination`);
  if (faults.length > 0) return faults;

  if (name !== undefined && !isDestinationName(name))
    fault("name", `must be 1 to ${DESTINATION_NAME_CHARS_MAX} characters of plain text`);
  if (types?.length === 0) fault("types", "must name at least one type of event");
  if (only === "summaries" && types) fault("types", "is not a setting of a destination of summaries");
  if (only === "up" && types && !types.some((type) => UP_TYPES.includes(type)))
    fault("types", `must name ${UP_TYPES.join(" or ")}: only rises and joins are sent`);
  if (target !== undefined && !ID.test(target))
    fault("target", `must be the id of a ${kind === "discord-roles" ? "server" : "group"}, 1 to 20 digits`);
  if (credential !== undefined && !isCredential(credential))
    fault("credential", `must be 1 to ${CREDENTIAL_CHARS_MAX} characters without spaces`);
  if (requestsPerMinute !== undefined && !isWithinRate(requestsPerMinute))
    fault("requestsPerMinute", `must be a whole number from ${REQUESTS_PER_MINUTE_MIN} to ${REQUESTS_PER_MINUTE_MAX}`);
  faults.push(...(roles ? roleFaults(roles, { clan, mapped }) : []));
  // Last: it resolves the host's name.
  if (url !== undefined && !isRoleKind(kind)) {
    const detail =
      url.length > DESTINATION_URL_CHARS_MAX
        ? `must have at most ${DESTINATION_URL_CHARS_MAX} characters`
        : await urls.findFault(kind, url);
    if (detail !== null) fault("url", detail);
  }
  return faults;
}

/** What `--only up` lets through. */
const UP_TYPES: readonly EventType[] = ["member.rank_changed", "member.joined"];

const fieldsOf: Record<DestinationKind, readonly (keyof DestinationSettings)[]> = {
  webhook: ["name", "url", "types"],
  discord: ["name", "url", "types", "only"],
  "roblox-group": ["name", "target", "credential", "roles", "requestsPerMinute"],
  "discord-roles": ["name", "target", "credential", "roles"],
};

function foreignFields(kind: DestinationKind, settings: DestinationSettings): string[] {
  const own: readonly string[] = fieldsOf[kind];
  return Object.entries(settings).flatMap(([field, value]) =>
    value === undefined || own.includes(field) ? [] : field,
  );
}

function isCredential(text: string): boolean {
  return text.length <= CREDENTIAL_CHARS_MAX && /^[\x21-\x7e]+$/.test(text);
}

function isWithinRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= REQUESTS_PER_MINUTE_MIN && rate <= REQUESTS_PER_MINUTE_MAX;
}

function roleFaults(roles: Roles, { clan, mapped }: { clan: Clan; mapped: Roles }): Fault[] {
  const names = clan.ranks.map((rank) => rank.name);
  return Object.entries(roles).flatMap(([rank, roleId]) => {
    const pointer = rolePointer(rank);
    if (!names.includes(rank) && !Object.hasOwn(mapped, rank))
      return { pointer, detail: `must name a rank of the clan: ${names.join(", ")}` };
    return ID.test(roleId) ? [] : { pointer, detail: "must be the id of a role, a number" };
  });
}

/** RFC 6901. */
export function rolePointer(rank: string): string {
  return `/roles/${rank.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
