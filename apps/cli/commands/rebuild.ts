// rebuild: rebuilds the members' documents from the ledger.
import type { Command } from "commander";
import { makeRebuildMembers } from "#ledger/rebuild-members.ts";
import type { Cli } from "../cli.ts";
import { makeRebuildBoards } from "#boards/rebuild-boards.ts";
import { silentLog } from "../open/servers.ts";
import { makeProjectAll } from "../open/fresh-lists.ts";
import { examples, facts } from "../show/text.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { openProgress } from "../show/progress.ts";
import { rejectFaults } from "../cli-error.ts";
import { unknownClan } from "../show/not-found.ts";

export function addRebuild(program: Command, cli: Cli): void {
  program
    .command("rebuild")
    .summary("rebuild the member list from the ledger")
    .description(
      "Rebuilds the document of every member from the ledger, which is the source of truth. Use it after a document was " +
        "changed or deleted manually, or when reconcile reports one. The hours that the overview has counted, and the periods of " +
        "boards that are not final, are counted again. Awards can continue meanwhile. The ledger is not changed.",
    )
    .option("--clan <clanId>", "only this clan")
    .addHelpText(
      "after",
      examples([
        ["clanxp rebuild", "every clan; on a terminal with a progress bar"],
        ["clanxp rebuild --clan rovers --json", "members read and documents changed, as JSON"],
      ]),
    )
    .action(async (options: { clan?: string }) => {
      const faults: Faults = [];
      const clanId = options.clan === undefined ? null : clanIdIn(options.clan, faults);
      rejectFaults(faults);

      const {
        ledgerStore: store,
        clans,
        epochs,
        ledgerReader: reader,
        members: documents,
        forgetHours,
        ...stores
      } = await cli.servers.stores();
      if (clanId !== null && !(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);

      const parts = { store, epochs, reader, clans, clock: cli.clock };
      const progress = await openProgress(cli.terminal, documents.estimate);
      await forgetHours(clanId === null ? (await clans.list()).map((clan) => clan.clanId) : [clanId]);
      const report = await makeRebuildMembers(parts)({ clanId, onProgress: progress.show }).finally(progress.close);
      const { members, changed } = report;
      const project = makeProjectAll(cli, "the standings");
      const { catchUp } = stores.openBoards({ project, clock: cli.clock, log: silentLog });
      const rebuildBoards = makeRebuildBoards({ ...stores, catchUp });
      let periods = 0;
      for (const clan of clanId === null ? await clans.list() : [{ clanId }])
        periods += await rebuildBoards(clan.clanId);
      cli.print({
        json: report,
        text: facts([
          ["members", members.toString()],
          ["periods", periods.toString()],
          ["changed", changed === 0 ? "none: the documents agree with the ledger" : changed.toString()],
        ]),
      });
    });
}
