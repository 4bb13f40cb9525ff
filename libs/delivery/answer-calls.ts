// Does what people ask for: only notifiers send requests to strangers, for the dashboard and the command line too.
import { pause } from "#async/pause.ts";
import { repeat } from "#async/repeat.ts";
import { AppError } from "#kernel/app-error.ts";
import { isRoleKind, type Destination, type DestinationSecrets, type RoleKind } from "#domain/destination.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import {
  CALLS_AT_ONCE_MAX,
  CALLS_EVERY_MS,
  CALLS_OF_CLAN_MAX,
  HOLD_EVERY_MS,
  IN_FORCE_MS_MAX,
  RESPONSE_CHARS_MAX,
  STOP_MS_MAX,
} from "#delivery/bounds.ts";
import type { Holding } from "#delivery/hold-destinations.ts";
import type { Call, CallResult, CallStore, InspectResult, SyncResult, TestResult } from "#delivery/call-ports.ts";
import type { Courier, HeldDestination, Sealer, Verdict } from "#delivery/ports.ts";

/** Compares members' roles now; see makeFollowRanks. */
export type SyncNow = (
  held: HeldDestination,
  options: { platformId: string | null; dryRun: boolean },
) => Promise<SyncResult>;
/** Checks a credential, and reads the roles of the group or server. */
export type InspectRoles = (of: {
  kind: RoleKind;
  clanId: string;
  target: string;
  credential: string;
}) => Promise<InspectResult>;

type AnswerDeps = {
  calls: CallStore;
  notifierId: string;
  holding: Pick<Holding, "held">;
  sealer: Sealer | null;
  couriers: Readonly<Record<"webhook" | "discord", Courier>>;
  syncNow: SyncNow;
  inspect: InspectRoles;
  /** How long a test takes at most, whatever it has to ask. */
  testMsMax: number;
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
};

/** `look`: somebody asks. */
export function startAnswerCalls(deps: AnswerDeps): { look(): void; stop(): Promise<void> } {
  const { calls, notifierId, holding, log } = deps;
  const resultOf = makeResultOf(deps);
  const running = new Set<Promise<void>>();
  /** The clan of each call that has one of the places. A comparison of all members may take days, and has none. */
  const placed = new Map<string, string>();

  async function look(): Promise<void> {
    for (;;) {
      const held = holding.held().map(({ destination }) => destination);
      const clanIds = [...placed.values()];
      const busyClans = clanIds.filter((one) => clanIds.filter((other) => other === one).length >= CALLS_OF_CLAN_MAX);
      const isFull = placed.size >= CALLS_AT_ONCE_MAX;
      const free = isFull ? null : { held: idsOf(held.filter(({ clanId }) => !busyClans.includes(clanId))), busyClans };
      const taken = await calls.take(notifierId, { held: idsOf(held), free });
      if (!taken) return;
      const { callId, call } = taken;
      if (!isComparison(call)) placed.set(callId, clanOf(call, held));
      const answering = answer(callId, call).finally(() => {
        placed.delete(callId);
        running.delete(answering);
      });
      running.add(answering);
    }
  }

  async function answer(callId: string, call: Call): Promise<void> {
    try {
      await calls.answer(callId, await resultOf(call));
    } catch (error) {
      log.warn({ kind: call.kind, err: error }, "destination.call_failed");
      const fault = error instanceof AppError ? error.message : FAILED;
      await calls.answer(callId, { fault }).catch(() => {});
    }
  }

  const looking = repeat(CALLS_EVERY_MS, look, (error) => log.debug({ err: error }, "destination.calls_failed"));
  return {
    look: looking.now,
    async stop() {
      await looking.stop();
      // Comparing all members' roles may take minutes. A person asks again.
      await Promise.race([Promise.all(running), pause(STOP_MS_MAX)]);
    },
  };
}

function whyNotSent(verdict: Verdict): string {
  if (verdict.kind === "disable") return verdict.reason;
  const seconds = verdict.kind === "rest" ? Math.ceil(verdict.forMs / 1_000) : 1;
  return `Nothing was sent, because earlier requests were rejected or reached a limit. Try again in ${seconds} s.`;
}

function idsOf(destinations: readonly Destination[]): string[] {
  return destinations.map(({ destinationId }) => destinationId);
}

/** Of all members: their number decides how long it takes. */
function isComparison(call: Call): call is Call & { kind: "sync" } {
  return call.kind === "sync" && call.platformId === null;
}

function clanOf(call: Call, held: readonly Destination[]): string {
  if (call.kind === "inspect") return call.clanId;
  return held.find(({ destinationId }) => destinationId === call.destinationId)?.clanId ?? "";
}

function makeResultOf({ holding, sealer, couriers, syncNow, inspect, clock, testMsMax }: AnswerDeps) {
  const shared = makeShared(syncNow);

  return async function resultOf(call: Call): Promise<CallResult> {
    if (call.kind === "inspect") {
      const { destinationKind: kind, clanId, target } = call;
      const secrets = secretsIn(sealer?.open(call.sealed, clanId) ?? null);
      if (!isRoleKind(kind) || !secrets || !("credential" in secrets)) return { fault: NOT_OPENED };
      return { inspect: await inspect({ kind, clanId, target, credential: secrets.credential }) };
    }
    const held = await heldAs(call, { holding, clock });
    if (!held) return { fault: NOT_IN_FORCE };
    if (call.kind === "test") return { test: await testInTime(held) };
    return { sync: await (isComparison(call) ? shared(held, call) : syncNow(held, call)) };
  };

  /** What is not done in time goes on, and its result is lost. */
  async function testInTime(held: HeldDestination): Promise<TestResult> {
    const late = new AbortController();
    const response = `No response arrived within ${testMsMax / 1_000} s.`;
    const timeout = pause(testMsMax, late.signal).then(() => ({
      status: null,
      ms: testMsMax,
      error: "timeout",
      response,
    }));
    return await Promise.race([test(held), timeout]).finally(() => late.abort());
  }

  async function test({ destination, secrets }: HeldDestination): Promise<TestResult> {
    const { kind, mapping } = destination;
    if (!("credential" in secrets) || !isRoleKind(kind)) {
      const courier = couriers[kind === "discord" ? "discord" : "webhook"];
      const sent = await courier.test(destination, secrets);
      const { status, ms, response, detail } = sent;
      const error = status === null && sent.error === null ? "not_sent" : sent.error;
      const shown = [detail, error === "not_sent" ? whyNotSent(sent.verdict) : response].filter(Boolean).join(" ");
      return { status, ms, error, response: shown === "" ? null : shown.slice(0, RESPONSE_CHARS_MAX) };
    }
    const startMs = clock.monotonicMs();
    const {
      fault,
      roles,
      error = "status",
    } = await inspect({
      kind,
      clanId: destination.clanId,
      target: mapping?.target ?? "",
      credential: secrets.credential,
    });
    const response = fault ?? roles.map(({ name }) => name).join(", ");
    return {
      status: null,
      ms: Math.round(clock.monotonicMs() - startMs),
      error: fault === null ? null : error,
      response: response.slice(0, RESPONSE_CHARS_MAX),
    };
  }
}

/** As the person who asks knows it: their own change a moment before is in force within a second. */
async function heldAs(
  { destinationId, rev }: Call & { kind: "test" | "sync" },
  { holding, clock }: Pick<AnswerDeps, "holding" | "clock">,
): Promise<HeldDestination | undefined> {
  const untilMs = clock.monotonicMs() + IN_FORCE_MS_MAX;
  for (;;) {
    const held = holding.held().find(({ destination }) => destination.destinationId === destinationId);
    if (held && held.rev >= rev) return held;
    if (clock.monotonicMs() >= untilMs) return undefined;
    await pause(HOLD_EVERY_MS / 10);
  }
}

/** One comparison of a destination serves all who ask for it while it runs. */
function makeShared(syncNow: SyncNow) {
  const comparisons = new Map<string, { result: Promise<SyncResult>; asked: number }>();
  return async function shared(held: HeldDestination, { dryRun }: { dryRun: boolean }): Promise<SyncResult> {
    const key = `${held.token} ${dryRun}`;
    const { result, asked } = comparisons.get(key) ?? {
      asked: 0,
      result: syncNow(held, { platformId: null, dryRun }).finally(() => comparisons.delete(key)),
    };
    if (asked >= SHARING_MAX) throw new AppError("unavailable", COMPARED_ALREADY);
    comparisons.set(key, { result, asked: asked + 1 });
    return await result;
  };
}

/** Who asks for the same comparison; each costs some memory until it ends. */
const SHARING_MAX = 20;
const COMPARED_ALREADY =
  "The members' roles are being compared already, which goes on. Look at the destination's members later.";
const NOT_IN_FORCE =
  "The destination was changed, or passed to another notifier, and its notifier does not know it yet. Try again shortly.";
const FAILED = "The notifier could not do it: its log says why. Try again.";
const NOT_OPENED =
  "The notifier cannot decrypt the secret: it has another SECRETS_KEY than the process that asked. Set the same one for both.";

function secretsIn(text: string | null): DestinationSecrets | null {
  return text === null ? null : (JSON.parse(text) as DestinationSecrets);
}
