// Adds a destination to a clan. Everything bad is rejected before anything is stored.
import type { Actor } from "#domain/audit.ts";
import type { Fault } from "#kernel/app-error.ts";
import {
  DESTINATIONS_PER_CLAN_MAX,
  destinationTypesDefault,
  isRoleKind,
  REQUESTS_PER_MINUTE_DEFAULT,
  summaryTypes,
  type Destination,
  type DestinationKind,
  type DestinationSecrets,
} from "#domain/destination.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { EventFeed, EventPosition } from "#events/ports.ts";
import { findRoleFaults, makeInspectRoles, type SeenRoles } from "#delivery/inspect-roles.ts";
import { findSettingFaults, type DestinationSettings, type UrlRules } from "#delivery/find-setting-faults.ts";
import { invalid, NO_SECRETS_KEY, rejected, type DestinationRejection } from "#delivery/rejection.ts";
import type { CallStore } from "#delivery/call-ports.ts";
import type { DestinationStore, Sealer } from "#delivery/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";

/** `from`: the first event that is sent; of role kinds, every member is compared instead. */
export type NewDestination = DestinationSettings & {
  clanId: string;
  kind: DestinationKind;
  from?: "now" | "oldest" | Date;
};

/** `secret`: the signing secret of a webhook, which is shown once. `roles`: those that the credential may assign. */
export type AddedDestination = {
  kind: "added";
  destination: Destination;
  secret: string | null;
  roles: SeenRoles["roles"];
};
export type AddDestination = (added: NewDestination, by: Actor) => Promise<AddedDestination | DestinationRejection>;

export type AddDeps = {
  clans: Pick<ClanStore, "read">;
  destinations: Pick<DestinationStore, "add">;
  events: Pick<EventFeed, "end" | "before">;
  calls: Pick<CallStore, "ask">;
  /** Null without SECRETS_KEY. */
  sealer: Sealer | null;
  urls: UrlRules;
  newSecret: () => string;
  ids: Pick<Ids, "destination">;
  clock: Pick<Clock, "now">;
};

export function makeAddDestination(deps: AddDeps): AddDestination {
  const { clans, destinations, events, sealer, urls, newSecret, ids, clock } = deps;

  function positionOf(clanId: string, from: NewDestination["from"]): Promise<EventPosition | "oldest"> | "oldest" {
    if (from === "oldest") return "oldest";
    return from instanceof Date ? events.before(clanId, from) : events.end(clanId);
  }

  return async function addDestination({ clanId, kind, from, ...settings }, by) {
    const clan = (await clans.read([clanId])).get(clanId);
    if (!clan) return rejected("no_clan", noClan(clanId));
    const faults = await findSettingFaults(kind, settings, { clan, urls });
    faults.push(...missingFields(kind, settings));
    if (from !== undefined && isRoleKind(kind))
      faults.push({ pointer: "/from", detail: `is not a setting of a ${kind} destination` });
    if (faults.length > 0) return invalid(faults);
    if (!sealer) return rejected("no_secrets_key", NO_SECRETS_KEY);

    const { name = "", url = "", target = "", credential = "", roles = {} } = settings;
    let seen: SeenRoles["roles"] = [];
    if (isRoleKind(kind)) {
      const inspection = { clanId, destinationKind: kind, target, credential };
      const inspected = await makeInspectRoles({ calls: deps.calls, sealer })(inspection);
      if (inspected.kind === "rejected") return inspected;
      seen = inspected.roles;
      const rejection = findRoleFaults(roles, seen);
      if (rejection) return rejection;
    }

    // Before the position: what happens from now on is sent.
    const [now, destinationId] = [clock.now(), ids.destination()];
    const secret = kind === "webhook" ? newSecret() : null;
    const secrets: DestinationSecrets = isRoleKind(kind)
      ? { kind, credential }
      : kind === "webhook"
        ? { kind, url, signing: [{ secret: secret ?? "", endsAt: null }] }
        : { kind, url };
    const { requestsPerMinute = REQUESTS_PER_MINUTE_DEFAULT } = settings;
    const destination: Destination = {
      destinationId,
      clanId,
      name,
      kind,
      types: settings.only === "summaries" ? summaryTypes : (settings.types ?? destinationTypesDefault),
      only: settings.only ?? null,
      state: "active",
      stateReason: null,
      since: now,
      sendsTo: isRoleKind(kind) ? target : urls.mask(kind, url),
      mapping: isRoleKind(kind) ? { target, roles, requestsPerMinute } : null,
      lastDeliveredAt: null,
      missed: 0,
      createdAt: now,
      createdBy: by.actor,
    };
    const sealed = sealer.seal(JSON.stringify(secrets), destinationId);
    const stored = { destination, sealed, position: await positionOf(clanId, from) };
    const outcome = await destinations.add(stored, { max: DESTINATIONS_PER_CLAN_MAX }, by);
    if (outcome === "added") return { kind: "added", destination, secret, roles: seen };
    return outcome === "too_many" ? rejected("too_many", TOO_MANY) : rejected("no_clan", noClan(clanId));
  };
}

function noClan(clanId: string): string {
  return `There is no clan ${clanId}. Nothing was changed.`;
}

const TOO_MANY = `The clan has ${DESTINATIONS_PER_CLAN_MAX} destinations, the maximum. Remove one first. Nothing was changed.`;

function missingFields(kind: DestinationKind, settings: DestinationSettings): Fault[] {
  const required = isRoleKind(kind) ? (["name", "target", "credential"] as const) : (["name", "url"] as const);
  return required.flatMap((field) =>
    settings[field] === undefined ? { pointer: `/${field}`, detail: "is required" } : [],
  );
}
