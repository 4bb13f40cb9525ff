// Does what people ask for: only notifiers send requests to strangers, for the dashboard and the command line too.
import { pause } from "#async/pause.ts";
import { repeat } from "#async/repeat.ts";
import { AppError } from "#domain/app-error.ts";
import { isRoleKind, type DestinationSecrets, type RoleKind } from "#domain/destination.ts";
import type { Clock, Log } from "#runtime/ports.ts";
import { CALLS_AT_ONCE_MAX, HOLD_EVERY_MS, RESPONSE_CHARS_MAX, STOP_MS_MAX } from "#usecases/destinations/bounds.ts";
import type { Holding } from "#usecases/destinations/hold-destinations.ts";
import type {
  Call,
  CallResult,
  CallStore,
  Courier,
  HeldDestination,
  InspectResult,
  Sealer,
  SyncResult,
  TestResult,
} from "#usecases/destinations/ports.ts";

/** Compares members' roles now; see makeFollowRanks. */
export type SyncNow = (
  held: HeldDestination,
  options: { platformId: string | null; dryRun: boolean },
) => Promise<SyncResult>;
/** Checks a credential, and reads the roles of the group or server. */
export type InspectRoles = (of: { kind: RoleKind; target: string; credential: string }) => Promise<InspectResult>;

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

export function startAnswerCalls(deps: AnswerDeps): { stop(): Promise<void> } {
  const { calls, notifierId, holding, log } = deps;
  const resultOf = makeResultOf(deps);
  const running = new Set<Promise<void>>();

  async function look(): Promise<void> {
    while (running.size < CALLS_AT_ONCE_MAX) {
      const ids = holding.held().map(({ destination }) => destination.destinationId);
      const taken = await calls.take(notifierId, ids);
      if (!taken) return;
      const answering = answer(taken.callId, taken.call).finally(() => running.delete(answering));
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

  const looking = repeat(HOLD_EVERY_MS, look, (error) => log.debug({ err: error }, "destination.calls_failed"));
  return {
    async stop() {
      await looking.stop();
      // Comparing all members' roles may take minutes. A person asks again.
      await Promise.race([Promise.all(running), pause(STOP_MS_MAX)]);
    },
  };
}

function makeResultOf({ holding, sealer, couriers, syncNow, inspect, clock, testMsMax }: AnswerDeps) {
  return async function resultOf(call: Call): Promise<CallResult> {
    if (call.kind === "inspect") {
      const { destinationKind: kind, clanId, target } = call;
      const secrets = secretsIn(sealer?.open(call.sealed, clanId) ?? null);
      if (!isRoleKind(kind) || !secrets || !("credential" in secrets)) return { fault: NOT_OPENED };
      return { inspect: await inspect({ kind, target, credential: secrets.credential }) };
    }
    const held = holding.held().find(({ destination }) => destination.destinationId === call.destinationId);
    if (!held) return { fault: "The destination has just passed to another notifier. Try again." };
    if (call.kind === "test") return { test: await testInTime(held) };
    return { sync: await syncNow(held, call) };
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
      const { status, ms, error, response, detail } = await courier.test(destination, secrets);
      return { status, ms, error, response: (response ?? detail)?.slice(0, RESPONSE_CHARS_MAX) ?? null };
    }
    const startMs = clock.monotonicMs();
    const {
      fault,
      roles,
      error = "status",
    } = await inspect({ kind, target: mapping?.target ?? "", credential: secrets.credential });
    const response = fault ?? roles.map(({ name }) => name).join(", ");
    return {
      status: null,
      ms: Math.round(clock.monotonicMs() - startMs),
      error: fault === null ? null : error,
      response: response.slice(0, RESPONSE_CHARS_MAX),
    };
  }
}

const FAILED = "The notifier could not do it: its log says why. Try again.";
const NOT_OPENED =
  "The notifier cannot decrypt the secret: it has another SECRETS_KEY than the process that asked. Set the same one for both.";

function secretsIn(text: string | null): DestinationSecrets | null {
  return text === null ? null : (JSON.parse(text) as DestinationSecrets);
}
