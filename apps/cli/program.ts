// The tree of commands, and the behavior that all of them share: --json, help with examples, errors instead of exits.
import { Command } from "commander";
import { packageVersion } from "#process/package-version.ts";
import type { Cli, Output } from "./cli.ts";
import { addAccountEndSessions } from "./commands/account-end-sessions.ts";
import { addAccountGrant } from "./commands/account-grant.ts";
import { addAccountInvite } from "./commands/account-invite.ts";
import { addAccountList } from "./commands/account-list.ts";
import { addAccountRemove } from "./commands/account-remove.ts";
import { addAccountReset } from "./commands/account-reset.ts";
import { addAccountRevoke } from "./commands/account-revoke.ts";
import { addAuditList } from "./commands/audit-list.ts";
import { addBatchCancel } from "./commands/batch-cancel.ts";
import { addBatchShow } from "./commands/batch-show.ts";
import { addBoardList } from "./commands/board-list.ts";
import { addBoardRemove } from "./commands/board-remove.ts";
import { addBoardSeason } from "./commands/board-season.ts";
import { addBoardSet } from "./commands/board-set.ts";
import { addBoardShow } from "./commands/board-show.ts";
import { addBoardStandings } from "./commands/board-standings.ts";
import { addBoostAdd } from "./commands/boost-add.ts";
import { addBoostEnd } from "./commands/boost-end.ts";
import { addBoostList } from "./commands/boost-list.ts";
import { addClanCreate } from "./commands/clan-create.ts";
import { addClanDelete } from "./commands/clan-delete.ts";
import { addClanList } from "./commands/clan-list.ts";
import { addClanPublish } from "./commands/clan-publish.ts";
import { addClanSet } from "./commands/clan-set.ts";
import { addClanShow } from "./commands/clan-show.ts";
import { addClanUnpublish } from "./commands/clan-unpublish.ts";
import { addDestinationAdd } from "./commands/destination-add.ts";
import { addDestinationDeliveries } from "./commands/destination-deliveries.ts";
import { addDestinationList } from "./commands/destination-list.ts";
import { addDestinationPause } from "./commands/destination-pause.ts";
import { addDestinationRemove } from "./commands/destination-remove.ts";
import { addDestinationResend } from "./commands/destination-resend.ts";
import { addDestinationResume } from "./commands/destination-resume.ts";
import { addDestinationRotate } from "./commands/destination-rotate.ts";
import { addDestinationSet } from "./commands/destination-set.ts";
import { addDestinationShow } from "./commands/destination-show.ts";
import { addDestinationSync } from "./commands/destination-sync.ts";
import { addDestinationTest } from "./commands/destination-test.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addErasureRefuse, addErasureRelease } from "./commands/erasure-decide.ts";
import { addErasureHookAdd } from "./commands/erasure-hook-add.ts";
import { addErasureHookList } from "./commands/erasure-hook-list.ts";
import { addErasureHookRemove } from "./commands/erasure-hook-remove.ts";
import { addErasureHookRotate } from "./commands/erasure-hook-rotate.ts";
import { addErasureList } from "./commands/erasure-list.ts";
import { addEventList } from "./commands/event-list.ts";
import { addEventRepair } from "./commands/event-repair.ts";
import { addExport } from "./commands/export.ts";
import { addGains } from "./commands/gains.ts";
import { addHealthcheck } from "./commands/healthcheck.ts";
import { addImport } from "./commands/import.ts";
import { addKeyCreate } from "./commands/key-create.ts";
import { addKeyLimit } from "./commands/key-limit.ts";
import { addKeyList } from "./commands/key-list.ts";
import { addKeyRevoke } from "./commands/key-revoke.ts";
import { addKeyRotate } from "./commands/key-rotate.ts";
import { addMemberAdd } from "./commands/member-add.ts";
import { addMemberAppoint } from "./commands/member-appoint.ts";
import { addMemberErase } from "./commands/member-erase.ts";
import { addMemberGains } from "./commands/member-gains.ts";
import { addMemberHide, addMemberUnhide } from "./commands/member-hide.ts";
import { addMemberList } from "./commands/member-list.ts";
import { addMemberName } from "./commands/member-name.ts";
import { addMemberRemove } from "./commands/member-remove.ts";
import { addMemberShow } from "./commands/member-show.ts";
import { addMemberTop } from "./commands/member-top.ts";
import { addQueuePause } from "./commands/queue-pause.ts";
import { addQueueResume } from "./commands/queue-resume.ts";
import { addQueueRetry } from "./commands/queue-retry.ts";
import { addQueueStatus } from "./commands/queue-status.ts";
import { addRankSet } from "./commands/rank-set.ts";
import { addRebuild } from "./commands/rebuild.ts";
import { addReconcile } from "./commands/reconcile.ts";
import { addReset } from "./commands/reset.ts";
import { addReverse } from "./commands/reverse.ts";
import { examples } from "./show/text.ts";

export function makeProgram(cli: Cli, { stdout, stderr }: { stdout: Output; stderr: Output }): Command {
  const program = new Command("clanxp")
    .description("Manage clans, ranks, members, API keys, batches and the ledger.")
    .option("--json", "print one JSON document on standard output, also for errors")
    .version(packageVersion, "--version")
    .helpOption("-h, --help", "show help")
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {}, // run-cli prints every error in the same way
    })
    .addHelpText("after", overview);

  for (const { name, summary, commands } of groups) {
    const group = program.command(name).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
    for (const add of commands) add(group, cli);
    group.summary(`${summary}: ${group.commands.map((command) => command.name()).join(", ")}`);
  }
  addReverse(program, cli);
  addReset(program, cli);
  addGains(program, cli);
  addImport(program, cli);
  addExport(program, cli);
  addDoctor(program, cli);
  addHealthcheck(program, cli);
  addReconcile(program, cli);
  addRebuild(program, cli);
  return program;
}

const groups = [
  {
    name: "clan",
    summary: "create and delete clans, change their settings, and publish their pages",
    commands: [addClanCreate, addClanSet, addClanShow, addClanList, addClanPublish, addClanUnpublish, addClanDelete],
  },
  {
    name: "boost",
    summary: "raise the awards of a clan for some time",
    commands: [addBoostAdd, addBoostList, addBoostEnd],
  },
  {
    name: "board",
    summary: "rank members by the XP that they gain in a period",
    commands: [addBoardSet, addBoardSeason, addBoardList, addBoardShow, addBoardStandings, addBoardRemove],
  },
  { name: "rank", summary: "set the ranks of a clan", commands: [addRankSet] },
  {
    name: "member",
    summary: "create and end memberships, appoint, list, show, name, hide and erase members, and show their gains",
    commands: [
      addMemberAdd,
      addMemberRemove,
      addMemberAppoint,
      addMemberList,
      addMemberShow,
      addMemberTop,
      addMemberGains,
      addMemberName,
      addMemberHide,
      addMemberUnhide,
      addMemberErase,
    ],
  },
  {
    name: "key",
    summary: "create, rotate, limit and revoke API keys",
    commands: [addKeyCreate, addKeyList, addKeyRotate, addKeyRevoke, addKeyLimit],
  },
  {
    name: "account",
    summary: "manage sign-in to the dashboard",
    commands: [
      addAccountInvite,
      addAccountList,
      addAccountGrant,
      addAccountRevoke,
      addAccountRemove,
      addAccountReset,
      addAccountEndSessions,
    ],
  },
  { name: "batch", summary: "show and cancel batches", commands: [addBatchShow, addBatchCancel] },
  { name: "event", summary: "list and repair the events of a clan", commands: [addEventList, addEventRepair] },
  {
    name: "destination",
    summary: "send events to servers and Discord, and make roles follow ranks",
    commands: [
      addDestinationAdd,
      addDestinationList,
      addDestinationShow,
      addDestinationSet,
      addDestinationPause,
      addDestinationResume,
      addDestinationTest,
      addDestinationRotate,
      addDestinationDeliveries,
      addDestinationResend,
      addDestinationSync,
      addDestinationRemove,
    ],
  },
  {
    name: "erasure-hook",
    summary: "receive Roblox's requests to erase players",
    commands: [addErasureHookAdd, addErasureHookList, addErasureHookRotate, addErasureHookRemove],
  },
  {
    name: "erasure",
    summary: "see what became of them, and decide on held ones",
    commands: [addErasureList, addErasureRelease, addErasureRefuse],
  },
  { name: "audit", summary: "see who changed what", commands: [addAuditList] },
  {
    name: "queue",
    summary: "show, pause and resume the queue of batches and reversals",
    commands: [addQueueStatus, addQueuePause, addQueueResume, addQueueRetry],
  },
];

/** The command that the arguments name, as far as it exists: `clanxp clan create`. Its own commands, if it is a group. */
export function commandIn(program: Command, args: readonly string[]): { path: string; commands: readonly string[] } {
  const names = [program.name()];
  let command = program;
  for (const arg of args) {
    const next = command.commands.find((candidate) => candidate.name() === arg);
    if (!next) continue;
    command = next;
    names.push(arg);
  }
  return { path: names.join(" "), commands: command.commands.map((inner) => inner.name()) };
}

const overview = `${examples([
  [
    "clanxp clan create rovers --name 'The Rovers' --auto",
    "a clan in which players who reach the first rank become members",
  ],
  ["clanxp rank set rovers --rank Recruit:NORMAL:100 --rank Elite:NORMAL:10000", "its ranks"],
  ["clanxp key create rovers --name game-server", "the key that the game server sends"],
])}

Exit codes: 0 success; 1 negative result, or not found; 2 invalid usage; 3 a server is unreachable or busy: retry later.
Servers: MONGO_URL and REDIS_URL (or MONGO_URL_FILE, REDIS_URL_FILE),
  otherwise the servers of the npm start that runs in DATA_DIR (.data).`;
