// batch cancel: rejects the awards that are not applied yet, of one batch or of all batches that an API key sent.
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { CANCEL_WAIT_MS } from "#batches/bounds.ts";
import { makeCancelBatches } from "#batches/cancel-batches.ts";
import type { Cli } from "../cli.ts";
import { examples, facts } from "../show/text.ts";
import { notFound } from "../show/not-found.ts";
import { CliError } from "../cli-error.ts";

export function addBatchCancel(parent: Command, cli: Cli): void {
  parent
    .command("cancel")
    .summary("cancel a batch, or all batches of an API key")
    .description(
      "Rejects the awards of a batch that are not applied yet, with the code cancelled. Applied awards stay applied. With --key it cancels " +
        "all unfinished batches of the API key. Requires MongoDB only. You can run it again, for example after an interruption.",
    )
    .argument("[batchId]", "the batch, as the API returned it")
    .option("--key <keyId>", "all unfinished batches of this API key")
    .addHelpText(
      "after",
      examples([
        ["clanxp batch cancel bat_0mi6qz3k1a2b3c4d5e6f708", "one batch"],
        ["clanxp batch cancel --key 0aB1cD2eF3gH4iJ5", "the batches of a leaked key, after clanxp key revoke"],
      ]),
    )
    .action(async (batchId: string | undefined, { key: keyId }: { key?: string }) => {
      if (batchId !== undefined && keyId === undefined) await cancelOne(cli, batchId);
      else if (batchId === undefined && keyId !== undefined) await cancelOfKey(cli, keyId);
      else
        throw new CliError(
          "usage",
          "Name either a batch or an API key: clanxp batch cancel <batchId>, or --key <keyId>.",
        );
    });
}

async function cancelOne(cli: Cli, batchId: string): Promise<void> {
  const by = cli.by();
  const { batches, cancelBatches } = await openBatches(cli);
  const batch = await batches.read(batchId);
  if (!batch) throw notFound.batch(batchId);
  if (batch.state === "done" && !batch.cancelled) {
    throw new CliError(
      "batch_done",
      `The batch "${batchId}" is done. Nothing is left to cancel; clanxp batch show shows its results.`,
    );
  }
  const { unfinished, applied, cancelled } = await cancelBatches({
    list: async () => [batchId],
    waitMs: CANCEL_WAIT_MS,
    by,
  });
  const status = unfinished > 0 ? "running" : "done";
  cli.print({
    json: { batchId, clanId: batch.clanId, status, applied, cancelled },
    text: facts([
      ["batch", batchId],
      ["clan", batch.clanId],
      ["status", status],
      ...countFacts({ unfinished, applied, cancelled }),
    ]),
  });
}

async function cancelOfKey(cli: Cli, keyId: string): Promise<void> {
  const by = cli.by();
  const { batches, cancelBatches, keys } = await openBatches(cli);
  const key = await keys.read(keyId);
  if (!key) throw notFound.key(keyId);
  const { clanId } = key;
  const list = () => batches.listUnfinishedOfKey({ clanId, keyId });
  const { done, unfinished, applied, cancelled } = await cancelBatches({ list, waitMs: CANCEL_WAIT_MS, by });
  cli.print({
    json: { keyId, clanId, batches: done + unfinished, unfinished, applied, cancelled },
    text: facts([
      ["key", keyId],
      ["clan", clanId],
      ["batches", (done + unfinished).toString()],
      ...countFacts({ unfinished, applied, cancelled }),
    ]),
  });
}

async function openBatches(cli: Cli) {
  const { batches, keys } = await cli.servers.stores();
  return { batches, keys, cancelBatches: makeCancelBatches({ batches, clock: cli.clock, pause }) };
}

function countFacts(counts: { unfinished: number; applied: number; cancelled: number }): [string, string][] {
  return [
    ["applied", `${counts.applied} awards, which stay applied`],
    ["cancelled", `${counts.cancelled} awards`],
    ...(counts.unfinished > 0
      ? [
          [
            "unfinished",
            `${counts.unfinished} batches that a worker is running; it rejects their remaining awards in a moment`,
          ] as [string, string],
        ]
      : []),
  ];
}
