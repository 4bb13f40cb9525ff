// Reversals for one command: MongoDB and the queue must be reachable before anything is recorded.
import { awardIdOf } from "#contract/award-id.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { digest } from "#runtime/process/secrets.ts";
import { makePreviewReversal, type PreviewReversal } from "#usecases/reversals/preview-reversal.ts";
import type { ReversalStore } from "#usecases/reversals/ports.ts";
import { makeSelectAwards } from "#usecases/reversals/select-awards.ts";
import { makeSubmitReversal, type SubmitReversal } from "#usecases/reversals/submit-reversal.ts";
import type { Cli } from "./cli.ts";
import { silentLog as log } from "./servers.ts";
import { unknownClan } from "./unknown-clan.ts";
import { withQueue } from "./with-queue.ts";

export type Reversing = {
  preview: PreviewReversal;
  submit: SubmitReversal;
  read: ReversalStore["read"];
  /** False also if Redis does not respond. */
  isPaused(): Promise<boolean>;
};

export async function openReversing<T>(
  cli: Cli,
  clanId: string,
  work: (reversing: Reversing) => Promise<T>,
): Promise<T> {
  const { ledgerStore: store, clans, reversals, selection } = await cli.servers.preparedStores();
  if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
  const { clock } = cli;
  const selectAwards = makeSelectAwards({ selection, clock });
  return withQueue(cli.servers, ({ reversals: queue, isPaused }) =>
    work({
      preview: makePreviewReversal({ selectAwards, selection, store, clock, awardIdOf }),
      submit: makeSubmitReversal({ reversals, selectAwards, queue, clock, digest, ids: makeIds(clock), log }),
      read: reversals.read,
      isPaused: () => isPaused().catch(() => false),
    }),
  );
}
