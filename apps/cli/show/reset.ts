// Resets in the output of the CLI.
import { resetResponse } from "#contract/render-reset.ts";
import type { Reset } from "#domain/reset.ts";
import type { CommandResult } from "../cli.ts";
import type { Format } from "./format.ts";
import { facts, table } from "./text.ts";

export function resetResult(reset: Reset, extra: object = {}): CommandResult {
  const json = resetResponse(reset);
  const text = ({ time, number }: Format) =>
    facts([
      ["reset", json.resetId],
      ["clan", json.clanId],
      ["status", json.status],
      ["at", time(json.at)],
      ["keeps", `${json.keepPercent} %`],
      ["members", `${number(json.members)} lost XP`],
      ["amount", `${number(json.amount)} XP`],
      ...(json.reason === null ? [] : [["reason", json.reason] as const]),
    ]);
  return { json: { ...json, ...extra }, text };
}

export function resetsResult(resets: readonly Reset[]): CommandResult {
  const listed = resets.map(resetResponse);
  return {
    json: { resets: listed },
    text: ({ time, number }) => {
      const rows = listed.map(({ resetId, at, keepPercent, status, members, amount, reason }) => [
        resetId,
        time(at),
        `${keepPercent} %`,
        status,
        number(members),
        number(amount),
        reason ?? "",
      ]);
      const header = ["RESET", "AT", "KEEPS", "STATUS", "MEMBERS", "XP TAKEN", "REASON"];
      return rows.length === 0 ? "No resets yet." : table(header, rows, ["KEEPS", "MEMBERS", "XP TAKEN"]);
    },
  };
}
