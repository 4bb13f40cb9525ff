// Sends events of a destination once more: one, all that failed, or those of a time span.
import { AppError } from "#kernel/app-error.ts";
import type { Actor } from "#domain/audit.ts";
import { isRoleKind } from "#domain/destination.ts";
import { EVENTS_SEARCHED_MAX, FAILED_PER_RESEND } from "#delivery/bounds.ts";
import type { DeliveryLog, DestinationStore, StoredDestination } from "#delivery/ports.ts";
import { noDestination, rejected, type DestinationRejection } from "#delivery/rejection.ts";
import { makeResendableEvents, type ResendableDeps } from "#delivery/resendable-events.ts";

/** `n`: the number of the event, if it is known. `from` is inclusive, `to` exclusive. */
export type ResendWhich = { eventId: string; n?: number | undefined } | { failed: true } | { from: Date; to: Date };

export type ResendDeliveries = (
  destinationId: string,
  which: ResendWhich,
  by: Actor,
  /** Whether to go on, once the number of events is known. */
  confirm?: (events: number) => Promise<boolean>,
) => Promise<{ kind: "resent"; events: number } | { kind: "declined" } | DestinationRejection>;

export function makeResendDeliveries(
  deps: Omit<ResendableDeps, "searchedMax"> & {
    destinations: Pick<DestinationStore, "read">;
    deliveries: Pick<DeliveryLog, "resend" | "counts" | "listFailed">;
    searchedMax?: number;
  },
): ResendDeliveries {
  const { destinations, deliveries, searchedMax = EVENTS_SEARCHED_MAX } = deps;
  const resendable = makeResendableEvents({ ...deps, searchedMax });

  /** In pages, so that no transaction becomes long. What was stored stays, whatever happens afterwards. */
  async function resendAll(pages: AsyncIterable<Parameters<DeliveryLog["resend"]>[1]>, of: Of): Promise<number> {
    let resent = 0;
    try {
      for await (const page of pages) resent += await deliveries.resend(of.destinationId, page, of.by);
    } catch (error) {
      if (resent === 0 || !(error instanceof AppError)) throw error;
      throw new AppError("outcome_unknown", onlySome(resent), { cause: error });
    }
    return resent;
  }

  /** Oldest first. Those that fail once more meanwhile are not found twice. */
  async function* failedOf(destinationId: string): AsyncGenerator<{ failed: readonly number[] }> {
    for (let after = 0; ;) {
      const failed = await deliveries.listFailed(destinationId, after, FAILED_PER_RESEND);
      if (failed.length > 0) yield { failed };
      const last = failed.at(-1);
      if (last === undefined || failed.length < FAILED_PER_RESEND) return;
      after = last;
    }
  }

  async function* eventPages(stored: StoredDestination, span: { from: Date; to: Date }) {
    for await (const page of resendable.ofSpan(stored, span)) if (page.length > 0) yield { events: page };
  }

  return async function resendDeliveries(destinationId, which, by, confirm = async () => true) {
    const stored = await destinations.read(destinationId);
    if (!stored) return noDestination(destinationId);
    const { kind } = stored.destination;
    if (isRoleKind(kind))
      return rejected("invalid", `A ${kind} destination sends no events: compare its members' roles instead (sync).`);

    if ("eventId" in which) {
      const event = await resendable.find(stored, which);
      if (!event) return rejected("no_event", noEvent(which.eventId, searchedMax));
      if (!(await confirm(1))) return { kind: "declined" };
      return { kind: "resent", events: await deliveries.resend(destinationId, { events: [event] }, by) };
    }
    if ("failed" in which) {
      const failed = (await deliveries.counts([destinationId])).get(destinationId)?.failed ?? 0;
      if (failed > 0 && !(await confirm(failed))) return { kind: "declined" };
      return { kind: "resent", events: await resendAll(failedOf(destinationId), { destinationId, by }) };
    }
    let found = 0;
    for await (const page of resendable.ofSpan(stored, which)) found += page.length;
    if (found > 0 && !(await confirm(found))) return { kind: "declined" };
    return { kind: "resent", events: await resendAll(eventPages(stored, which), { destinationId, by }) };
  };
}

type Of = { destinationId: string; by: Actor };

function noEvent(eventId: string, searchedMax: number): string {
  return `Among the clan's newest ${searchedMax} events there is no ${eventId} that this destination can be sent again. Send those of a time span instead (--from, --to) if it is older. Nothing was changed.`;
}

function onlySome(resent: number): string {
  return `${resent} events are sent again; it is not known whether others are. Look at the deliveries, then send the others again.`;
}
