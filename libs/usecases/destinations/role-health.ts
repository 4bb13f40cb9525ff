// What a response of Roblox or Discord says about the destination: whether it fails, works again, or is disabled. Pure,
// so that every history can be tried.
import type { DestinationState } from "#domain/destination.ts";
import { FAILURES_MAX } from "#usecases/destinations/bounds.ts";
import { DENIED_MAX } from "#usecases/destinations/role-bounds.ts";
import type { RunChange } from "#usecases/destinations/ports.ts";
import type { RoleFault } from "#usecases/destinations/role-ports.ts";

/**
 * `denied`: the members in a row that the credential may not change. `isDenied`: it is failing because of them, so that
 * only a change of roles shows that it is well again.
 */
export type RoleHealth = {
  state: DestinationState;
  since: Date;
  failures: number;
  probes: number;
  nextProbeAt: Date | null;
  denied: ReadonlySet<string>;
  isDenied: boolean;
};

export type RoleSchedule = { probeMs: readonly number[]; disableAfterMs: number };

/** `change`: what is to be stored; null: nothing. */
export type HealthDecision = { health: RoleHealth; change: RunChange | null; disable: string | null };

type Reply = { kind: "done" } | RoleFault;

/** `changes`: the member whose roles the request was to change; null if it only reads. */
export function decideHealth(
  health: RoleHealth,
  { reply, changes }: { reply: Reply; changes: string | null },
  { schedule, now }: { schedule: RoleSchedule; now: Date },
): HealthDecision {
  const same = { health, change: null, disable: null };
  // Only what a person asks for is sent, and it changes no state.
  if (health.state === "paused" || health.state === "disabled") return same;
  switch (reply.kind) {
    case "rest":
      return same;
    case "failed":
      return health.state === "failing" ? failedProbe(reply.reason) : failed(reply.reason);
    case "stopped":
      return health.state === "failing" ? failedProbe(reply.reason) : failing(reply.reason, false);
    case "denied":
      return denied(reply.reason);
    case "done":
    case "not_there":
    case "rejected":
      return responded();
  }

  /** The service works. */
  function responded(): HealthDecision {
    const known = changes === null ? health.denied : new Set<string>();
    if (health.state === "failing") return health.isDenied && changes === null ? same : resumed(health, now);
    const change = health.failures > 0 ? { failures: 0 } : null;
    return { health: { ...health, failures: 0, denied: known }, change, disable: null };
  }

  function denied(reason: string): HealthDecision {
    if (health.state === "failing") return health.isDenied ? failedProbe(reason) : resumed(health, now);
    const members = new Set(health.denied).add(changes ?? "");
    const known = { ...health, failures: 0, denied: members };
    return members.size >= DENIED_MAX ? failing(reason, true) : { health: known, change: null, disable: null };
  }

  function failed(reason: string): HealthDecision {
    const failures = health.failures + 1;
    if (failures >= FAILURES_MAX)
      return failing(`${failures} failures in a row, most recently: ${reason} It is tried again by itself.`, false);
    return { health: { ...health, failures }, change: { failures }, disable: null };
  }

  function failing(stateReason: string, isDenied: boolean): HealthDecision {
    const run = { probes: 0, nextProbeAt: later(schedule.probeMs[0] ?? 0) };
    const change = { state: "failing", stateReason, since: now, ...run } as const;
    return { health: { ...health, ...run, state: "failing", since: now, isDenied }, change, disable: null };
  }

  function failedProbe(reason: string): HealthDecision {
    const isOver = now.getTime() - health.since.getTime() >= schedule.disableAfterMs;
    const hours = Math.round(schedule.disableAfterMs / 3_600_000);
    const disable = isOver ? `It has failed for ${hours} h, most recently with: ${reason} Then resume it.` : null;
    return { ...nextProbe(health, { schedule, now }), disable };
  }

  function later(ms: number): Date {
    return new Date(now.getTime() + ms);
  }
}

/** The probe showed nothing new. */
export function nextProbe(
  health: RoleHealth,
  { schedule, now }: { schedule: RoleSchedule; now: Date },
): HealthDecision {
  const probes = health.probes + 1;
  const waitMs = schedule.probeMs[Math.min(probes, schedule.probeMs.length - 1)] ?? 0;
  const run = { probes, nextProbeAt: new Date(now.getTime() + waitMs) };
  return { health: { ...health, ...run }, change: run, disable: null };
}

/** All members are compared: many could not be changed meanwhile. */
export function resumed(health: RoleHealth, now: Date): HealthDecision {
  const run = { failures: 0, probes: 0, nextProbeAt: null };
  const change = { state: "active", stateReason: null, since: now, fullSyncAt: now, ...run } as const;
  const known = { ...health, ...run, state: "active", since: now, denied: new Set<string>(), isDenied: false } as const;
  return { health: known, change, disable: null };
}
