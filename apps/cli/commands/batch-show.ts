// batch show: the state of a batch, and its results once it is done.
import type { Command } from "commander";
import type { BatchState } from "#contract/batch.ts";
import { batchState } from "#contract/render.ts";
import type { Batch } from "#domain/batch.ts";
import type { Cli } from "../cli.ts";
import { shownNames } from "../open/shown-names.ts";
import type { Format } from "../show/format.ts";
import { withName, type ShownNames } from "../show/names.ts";
import { examples, facts, table } from "../show/text.ts";
import { notFound } from "../show/not-found.ts";

export function addBatchShow(parent: Command, cli: Cli): void {
  parent
    .command("show")
    .summary("show a batch")
    .description(
      "Shows the state of a batch and, once it is done, the result of each award, until these are deleted by age.",
    )
    .argument("<batchId>", "the batch id that the API returned")
    .addHelpText(
      "after",
      examples([["clanxp batch show bat_0mi6qz3k1a2b3c4d5e6f708 --json | jq .results", "the result of each award"]]),
    )
    .action(async (batchId: string) => {
      const { batches } = await cli.servers.stores();
      const batch = await batches.read(batchId);
      if (!batch) throw notFound.batch(batchId);
      const state = batchState(batch);
      const members = state.results.flatMap(({ platformId }) => platformId ?? []);
      const names = await shownNames(cli, batch.clanId, members);
      cli.print({
        json: { clanId: batch.clanId, ...state },
        text: (format) => textOf(batch, state, { names, ...format }),
      });
    });
}

const DELETED = "deleted, with their results: the batch was done more than BATCH_RETENTION_DAYS ago";

function textOf(
  { clanId, awards, appliedOnce }: Batch,
  state: BatchState,
  { names, time, number }: Format & { names: ShownNames },
): string {
  const about = facts([
    ["batch", state.batchId],
    ["clan", clanId],
    ["status", state.status],
    ["created", time(state.createdAt)],
    ["finished", state.finishedAt ? time(state.finishedAt) : "not yet"],
    ["awards", appliedOnce === null ? awards.length.toString() : DELETED],
    ["applied", state.status === "done" ? state.applied.toString() : "unknown until it is done"],
  ]);
  if (state.results.length === 0) return about;
  const rows = state.results.map((result) =>
    result.status === "applied"
      ? [result.index.toString(), withName(names, result.platformId), result.status, number(result.xp), result.rank]
      : [
          result.index.toString(),
          withName(names, result.platformId ?? ""),
          result.status,
          "",
          `${result.error.code}: ${result.error.detail}`,
        ],
  );
  return `${about}\n\n${table(["INDEX", "MEMBER", "RESULT", "XP", "RANK OR REASON"], rows, ["INDEX", "XP"])}`;
}
