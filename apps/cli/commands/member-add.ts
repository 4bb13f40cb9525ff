// member add: gives a membership, and with --rank an appointment.
import type { Command } from "commander";
import { makeAddMember, type MemberAddition } from "#usecases/members/add-member.ts";
import { makeIds } from "#runtime/process/ids.ts";
import type { Cli } from "../cli.ts";
import { didYouMean } from "../did-you-mean.ts";
import { examples } from "../examples.ts";
import { openPipeline } from "../open-pipeline.ts";
import { clanIdIn, platformIdIn, type Faults } from "../parse.ts";
import { Refusal, refuseFaults } from "../refusal.ts";
import { memberResult } from "../show-member.ts";
import { unknownClan } from "../unknown-clan.ts";

export function addMemberAdd(parent: Command, cli: Cli): void {
  parent
    .command("add")
    .summary("give a membership, or an appointment")
    .description("Makes someone a member of a clan. Their XP stays, and so does a membership that is there already.")
    .argument("<clanId>", "the clan")
    .argument("<platformId>", "the player's id on the game's platform")
    .option("--rank <name>", "appoints them to this STAFF or OWNER rank; NORMAL ranks follow from XP")
    .addHelpText(
      "after",
      examples([
        ["clanxp member add rovers 4711", "a member, with the rank that their XP is worth"],
        ["clanxp member add rovers 4711 --rank Captain", "appointed to a STAFF or OWNER rank"],
      ]),
    )
    .action(async (clanIdText: string, platformIdText: string, options: { rank?: string }) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const platformId = platformIdIn(platformIdText, faults);
      refuseFaults(faults);
      const by = cli.by();

      const database = await cli.servers.preparedMongo();
      const { makeClanStore } = await import("#store/clan-store.ts");
      const clans = makeClanStore(database);
      const pipeline = await openPipeline({ database, clans, clock: cli.clock });
      const addMember = makeAddMember({ ...pipeline, clans, ids: makeIds(cli.clock) });
      const addition = await addMember({ clanId, platformId }, options.rank ?? null, by);
      await pipeline.close();
      if (addition.kind === "no_clan") throw await unknownClan(clanId, clans);
      if (addition.kind !== "added") throw rankRefusal(addition, clanId, options.rank ?? "");
      cli.answer(memberResult(addition.member, addition.clan));
    });
}

function rankRefusal(addition: Extract<MemberAddition, { kind: "no_rank" | "not_appointable" }>, clanId: string, name: string): Refusal {
  if (addition.kind === "no_rank") {
    const hint =
      didYouMean(
        name,
        addition.clan.ranks.map((rank) => rank.name),
      ) || ` It has ${addition.clan.ranks.map((rank) => rank.name).join(", ")}.`;
    return new Refusal("rank_not_found", `The clan "${clanId}" has no rank "${name}".${hint}`);
  }
  const reason = addition.rankKind === "NORMAL" ? "XP alone decides who has it" : "it is for those without a membership";
  return new Refusal("rank_not_appointable", `"${name}" is a ${addition.rankKind} rank: ${reason}. Only STAFF and OWNER ranks are given.`);
}
