// `erasure release`, `erasure refuse`: a person's decision on the requests that a hook holds, because it received more in
// an hour than it may erase.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { requireConsent, requireYesOrTerminal } from "../consent.ts";
import type { Faults } from "../parse/options.ts";
import { decidedResult, hookNotFound } from "../show/hook.ts";
import { examples, numberOf } from "../show/text.ts";

const REQUESTS_MAX = 10_000;

type Decision = {
  name: "release" | "refuse";
  done: "released" | "refused";
  summary: string;
  description: string;
  question: string;
  effect: string;
};

const release: Decision = {
  name: "release",
  done: "released",
  summary: "erase the players of held requests",
  description: "Erases the players of all requests that the hook holds. Do so if they are Roblox's.",
  question: "This erases their players and cannot be undone. Release them?",
  effect: "A worker erases their players.",
};
const refuse: Decision = {
  name: "refuse",
  done: "refused",
  summary: "reject held requests",
  description:
    "Rejects all requests that the hook holds, and deletes the players' ids from them. Do so if somebody else sent them, and replace the secret with clanxp erasure-hook rotate.",
  question: "Nobody is erased, and the requests cannot be restored. Reject them?",
  effect: "Nobody was erased.",
};

export function addErasureRelease(parent: Command, cli: Cli): void {
  addDecision(parent, cli, release);
}
export function addErasureRefuse(parent: Command, cli: Cli): void {
  addDecision(parent, cli, refuse);
}

function addDecision(
  parent: Command,
  cli: Cli,
  { name, done, summary, description, question, effect }: Decision,
): void {
  parent
    .command(name)
    .summary(summary)
    .description(`${description} Asks for confirmation; without a terminal, --yes is required.`)
    .argument("<hookId>", "the hook, as clanxp erasure list shows it")
    .option("--yes", "do not ask")
    .addHelpText("after", examples([[`clanxp erasure ${name} hok_0mi6qz3k1a2b3c4d`, "once you confirm it"]]))
    .action(async (hookId: string, options: { yes?: true }) => {
      const faults: Faults = [];
      requireYesOrTerminal(cli, options, faults);
      rejectFaults(faults);
      const by = cli.by();
      const { erasureRequests, erasureHooks } = await cli.servers.preparedStores();
      if (!(await erasureHooks.isKnown(hookId))) throw hookNotFound(hookId);
      const held = await erasureRequests.list({ hookId, status: "held" }, REQUESTS_MAX);
      const asked = `The hook ${hookId} holds ${numberOf(held.length, "request")}. ${question}`;
      await requireConsent(cli, options, { question: asked, declined: "Nothing was changed." });
      const count = await erasureRequests.decide(hookId, name, by);
      cli.print(decidedResult(hookId, { name: done, count, effect }));
    });
}
