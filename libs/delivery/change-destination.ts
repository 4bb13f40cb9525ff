// Changes the settings of a destination, pauses and resumes it, and replaces the signing secret of a webhook.
import { AppError } from "#kernel/app-error.ts";
import type { Actor } from "#domain/audit.ts";
import {
  isRoleKind,
  summaryTypes,
  type Destination,
  type DestinationSecrets,
  type MessageKind,
  type RoleKind,
  type RoleMapping,
} from "#domain/destination.ts";
import { withRoleChanges, type RoleChanges } from "#domain/role-change.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { EventFeed } from "#events/ports.ts";
import { findRoleFaults, makeInspectRoles, type SeenRoles } from "#delivery/inspect-roles.ts";
import { findSettingFaults, type DestinationSettings, type UrlRules } from "#delivery/find-setting-faults.ts";
import {
  invalid,
  NO_SECRETS_KEY,
  noDestination,
  NOT_DECRYPTABLE,
  rejected,
  type DestinationRejection,
} from "#delivery/rejection.ts";
import { credentialIn, secretsIn } from "#delivery/open-secrets.ts";
import type { CallStore } from "#delivery/call-ports.ts";
import type {
  DestinationAction,
  DestinationChange,
  DestinationStore,
  ReadDestination,
  Sealer,
  StoredDestination,
} from "#delivery/ports.ts";
import type { Clock } from "#kernel/clock.ts";

export const GRACE_DEFAULT_MS = 86_400_000;
export const GRACE_MAX_MS = 7 * 86_400_000;
/** Signing secrets that a receiver may still know, beside the new one. */
const OLD_SECRETS_MAX = 2;
/** A destination that people have changed so often since it was read is busier than any. */
const CHANGE_TRIES_MAX = 5;

/**
 * `secret`: a signing secret that was made, shown once. `roles`: those that the credential may assign, if they were
 * read.
 */
export type ChangedDestination = {
  kind: "changed";
  destination: Destination;
  secret: string | null;
  roles: SeenRoles["roles"];
};
type Changed = Promise<ChangedDestination | DestinationRejection>;

/** `roleChanges`: other roles for these ranks, or none (null); `roles` replaces the whole mapping. */
export type SettingChanges = DestinationSettings & { roleChanges?: RoleChanges };

export type ChangeDestination = {
  set(destinationId: string, settings: SettingChanges, by: Actor): Changed;
  pause(destinationId: string, by: Actor): Changed;
  /** `fromNow`: what has not been sent by now is skipped. */
  resume(destinationId: string, options: { fromNow: boolean }, by: Actor): Changed;
  /** The old secret signs, too, for `graceMs`. */
  rotate(destinationId: string, options: { graceMs: number }, by: Actor): Changed;
};

export type ChangeDeps = {
  clans: Pick<ClanStore, "read">;
  destinations: Pick<DestinationStore, "read" | "change">;
  events: Pick<EventFeed, "end">;
  calls: Pick<CallStore, "ask">;
  sealer: Sealer | null;
  urls: UrlRules;
  newSecret: () => string;
  clock: Pick<Clock, "now">;
};

export function makeChangeDestination(deps: ChangeDeps): ChangeDestination {
  const { destinations, events, sealer, newSecret, clock } = deps;

  /**
   * Reads the destination, plans the change from what was read, and makes it unless somebody else has changed the
   * destination meanwhile: then all of it again, so that no change undoes another one.
   */
  async function change(
    destinationId: string,
    action: DestinationAction,
    by: Actor,
    plan: (stored: ReadDestination) => Promise<Planned | ChangedDestination | DestinationRejection>,
  ): Changed {
    for (let tries = 0; tries < CHANGE_TRIES_MAX; tries += 1) {
      const stored = await destinations.read(destinationId);
      if (!stored) return noDestination(destinationId);
      const next = await plan(stored);
      if (next.kind !== "planned") return next;
      const { secret, roles } = next;
      const destination = await destinations.change(destinationId, next.change, { action, rev: stored.rev }, by);
      if (destination === null) return noDestination(destinationId);
      if (destination !== "outdated") return { kind: "changed", destination, secret, roles };
    }
    throw new AppError("unavailable", "Others are changing the destination. Nothing was changed: try again shortly.");
  }

  return {
    set: (destinationId, settings, by) =>
      change(destinationId, "destination.set", by, (stored) => planChange(deps, stored, settings)),

    pause: (destinationId, by) =>
      change(destinationId, "destination.pause", by, async ({ destination }) => {
        const { state } = destination;
        // A disabled one keeps its reason.
        if (state === "paused" || state === "disabled") return unchanged(destination);
        return planned({ state: "paused", stateReason: `Paused by ${by.actor}. Resume it to send what waits.` });
      }),

    resume: (destinationId, { fromNow }, by) =>
      change(destinationId, "destination.resume", by, async ({ destination }) => {
        const { state, clanId } = destination;
        if (state === "active" && !fromNow) return unchanged(destination);
        const skip = fromNow ? { skip: { to: await events.end(clanId), reason: `skipped by ${by.actor}` } } : {};
        return planned({ state: "active", stateReason: null, ...skip });
      }),

    rotate: (destinationId, { graceMs }, by) =>
      change(destinationId, "destination.rotate", by, async (stored) => {
        const { kind } = stored.destination;
        if (kind !== "webhook") return rejected("invalid", `Only a webhook has a signing secret, and this is ${kind}.`);
        if (!sealer) return rejected("no_secrets_key", NO_SECRETS_KEY);
        const secrets = secretsIn(stored, sealer);
        if (secrets?.kind !== "webhook") return rejected("no_secrets_key", NOT_DECRYPTABLE);
        const secret = newSecret();
        const now = clock.now();
        const graceEnd = new Date(now.getTime() + Math.min(graceMs, GRACE_MAX_MS));
        const old = secrets.signing
          .map((one) => ({ ...one, endsAt: one.endsAt && one.endsAt < graceEnd ? one.endsAt : graceEnd }))
          .filter(({ endsAt }) => endsAt > now);
        if (old.length > OLD_SECRETS_MAX) return rejected("invalid", tooManySecrets(old));
        const signing = [{ secret, endsAt: null }, ...old];
        const sealed = sealer.seal(JSON.stringify({ ...secrets, signing }), destinationId);
        return { ...planned({ sealed }), secret };
      }),
  };
}

/** Each is to sign until its grace period ends. */
function tooManySecrets(old: readonly { endsAt: Date }[]): string {
  const first = new Date(Math.min(...old.map(({ endsAt }) => endsAt.getTime())));
  return `${OLD_SECRETS_MAX} earlier secrets still sign, the maximum. Rotate again after ${first.toISOString()}, when the first one ends, or without a grace period, which ends all of them now. Nothing was changed.`;
}

function unchanged(destination: Destination): ChangedDestination {
  return { kind: "changed", destination, secret: null, roles: [] };
}

type Change = Parameters<DestinationStore["change"]>[1];
type Planned = Omit<ChangedDestination, "kind" | "destination"> & { kind: "planned"; change: Change };

function planned(change: Change): Planned {
  return { kind: "planned", change, secret: null, roles: [] };
}

/** What a change of settings would store. Nothing is changed. */
async function planChange(
  deps: ChangeDeps,
  stored: StoredDestination,
  { roleChanges, ...given }: SettingChanges,
): Promise<Planned | DestinationRejection> {
  const { clans, urls, sealer, newSecret } = deps;
  const { clanId, kind, mapping, destinationId, only, types } = stored.destination;
  const settings: DestinationSettings = roleChanges
    ? { ...given, roles: withRoleChanges(mapping?.roles ?? {}, roleChanges) }
    : given;
  const clan = (await clans.read([clanId])).get(clanId);
  if (!clan) return rejected("no_clan", `There is no clan ${clanId}. Nothing was changed.`);
  const faults = await findSettingFaults(
    kind,
    { ...settings, ...together({ only, types }, settings) },
    { clan, urls, ...(mapping ? { mapped: mapping.roles } : {}) },
  );
  if (faults.length > 0) return invalid(faults);

  const { name, url, target, credential, roles, requestsPerMinute } = settings;
  const change: DestinationChange = {
    ...(name === undefined ? {} : { name }),
    ...(settings.types === undefined ? {} : { types: settings.types }),
    ...(settings.only === undefined ? {} : { only: settings.only }),
    ...(settings.only === "summaries" ? { types: summaryTypes } : {}),
  };
  const plan = planned(change);
  const needsSealer = url !== undefined || target !== undefined || credential !== undefined || roles !== undefined;
  if (needsSealer && !sealer) return rejected("no_secrets_key", NO_SECRETS_KEY);
  if (url !== undefined && sealer && !isRoleKind(kind)) {
    const known = secretsIn(stored, sealer);
    // Without the old one, the receiver needs a new secret.
    plan.secret = kind === "webhook" && known?.kind !== "webhook" ? newSecret() : null;
    const secrets = withUrl(kind, url, known, plan.secret);
    Object.assign(change, {
      sendsTo: urls.mask(kind, url),
      sealed: sealer.seal(JSON.stringify(secrets), destinationId),
    });
  }
  if (mapping && isRoleKind(kind)) {
    const next: RoleMapping = {
      target: target ?? mapping.target,
      roles: roles ?? mapping.roles,
      requestsPerMinute: requestsPerMinute ?? mapping.requestsPerMinute,
    };
    if (needsSealer && sealer) {
      const seen = await inspectAgain({ ...deps, sealer }, stored, { kind, next, credential });
      if (seen.kind === "rejected") return seen;
      plan.roles = seen.roles;
    }
    if (credential !== undefined && sealer)
      change.sealed = sealer.seal(JSON.stringify({ kind, credential }), destinationId);
    if (target !== undefined) change.sendsTo = target;
    if (JSON.stringify(next) !== JSON.stringify(mapping)) change.mapping = next;
  }
  return plan;
}

/** `--only up` needs a type that it lets through, and `--only summaries` has its own, whichever of the two changes. */
function together(
  stored: Required<Pick<DestinationSettings, "only" | "types">>,
  { only = stored.only, types }: DestinationSettings,
): Pick<DestinationSettings, "only" | "types"> {
  if (only === null) return {};
  return only === "up" ? { only, types: types ?? stored.types } : { only };
}

function withUrl(
  kind: MessageKind,
  url: string,
  known: DestinationSecrets | null,
  secret: string | null,
): DestinationSecrets {
  if (kind === "discord") return { kind, url };
  const signing = known?.kind === "webhook" ? known.signing : [{ secret: secret ?? "", endsAt: null }];
  return { kind, url, signing };
}

async function inspectAgain(
  { calls, sealer }: { calls: Pick<CallStore, "ask">; sealer: Sealer },
  stored: StoredDestination,
  { kind, next, credential }: { kind: RoleKind; next: RoleMapping; credential: string | undefined },
): Promise<SeenRoles | DestinationRejection> {
  const known = credential ?? credentialIn(stored, sealer);
  if (known === null) return rejected("no_secrets_key", NOT_DECRYPTABLE);
  const { clanId } = stored.destination;
  const inspection = { clanId, destinationKind: kind, target: next.target, credential: known };
  const seen = await makeInspectRoles({ calls, sealer })(inspection);
  return seen.kind === "rejected" ? seen : (findRoleFaults(next.roles, seen.roles) ?? seen);
}
