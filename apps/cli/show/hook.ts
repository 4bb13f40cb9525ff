// Hooks for Roblox's erasure requests in the output of the CLI. Only the result that made a secret contains it.
import { hookUrl, type ErasureHook, type ErasureRequest } from "#domain/erasure-hook.ts";
import { noHook, type HookRejection, type MadeSecret } from "#hooks/manage-hooks.ts";
import type { CommandResult } from "../cli.ts";
import { CliError, type CliErrorCode } from "../cli-error.ts";
import { facts, numberOf, table } from "./text.ts";

/** Throws CliError for a rejection. */
export function secretResult(made: MadeSecret | HookRejection, apiUrl: string): CommandResult {
  if (made.kind === "rejected") throw new CliError(codes[made.why], made.detail);
  const { hookId, secret } = made;
  const url = hookUrl(apiUrl, hookId);
  const shown = facts([
    ["hook", hookId],
    ["url", url],
  ]);
  const saved = "This is the secret. Enter it at Roblox now, with the URL: it cannot be shown again.";
  return { json: { hookId, url, secret }, text: `${shown}\n\n  ${secret}\n\n${saved}` };
}

const codes: Record<HookRejection["why"], CliErrorCode> = {
  no_clan: "clan_not_found",
  no_hook: "hook_not_found",
  no_hook_key: "hook_key_missing",
  too_many: "too_many_hooks",
};

export function hookNotFound(hookId: string): CliError {
  return new CliError("hook_not_found", `${noHook(hookId)} clanxp erasure-hook list shows all.`);
}

export function hooksResult(hooks: readonly ErasureHook[], apiUrl: string): CommandResult {
  const listed = hooks.map((hook) => ({
    ...hook,
    url: hookUrl(apiUrl, hook.hookId),
    createdAt: hook.createdAt.toISOString(),
  }));
  return {
    json: { hooks: listed },
    text: ({ time }) => {
      const rows = hooks.map(({ hookId, clanIds, games, createdAt, createdBy }) => [
        hookId,
        clanIds?.join(", ") ?? "all",
        games?.join(", ") ?? "all",
        `${time(createdAt)} by ${createdBy}`,
      ]);
      return rows.length === 0 ? "No erasure hooks yet." : table(["HOOK", "CLANS", "GAMES", "CREATED"], rows);
    },
  };
}

export function requestsResult(requests: readonly ErasureRequest[]): CommandResult {
  const listed = requests.map(({ receivedAt, doneAt, ...request }) => ({
    ...request,
    receivedAt: receivedAt.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
  }));
  return {
    json: { requests: listed },
    text: ({ time }) => {
      const rows = requests.map(({ receivedAt, hookId, notificationId, platformId, status, clans, doneAt }) => [
        time(receivedAt),
        hookId,
        notificationId,
        platformId ?? "",
        status,
        clans.join(", "),
        doneAt ? time(doneAt) : "",
      ]);
      const header = ["RECEIVED", "HOOK", "NOTIFICATION", "PLAYER", "STATUS", "ERASED IN", "DONE"];
      return rows.length === 0 ? "No erasure requests." : table(header, rows);
    },
  };
}

/** After a person's decision on what was held. */
export function decidedResult(
  hookId: string,
  { name, count, effect }: { name: "released" | "refused"; count: number; effect: string },
): CommandResult {
  const text = count === 0 ? "No requests are held." : `${numberOf(count, "request")} ${name}. ${effect}`;
  return { json: { hookId, [name]: count }, text };
}
