// The preview of another list of ranks in the output of the CLI.
import { rankAnswers } from "#contract/render.ts";
import type { RanksPreview } from "#usecases/ranks/preview-ranks.ts";
import type { CommandResult } from "./cli.ts";
import { facts, table } from "./table.ts";

export function previewResult(clanId: string, preview: RanksPreview): CommandResult {
  const { members, rise, fall, changed, dropped, ranks } = preview;
  const shown = rankAnswers(ranks.map(({ rank }) => rank));
  const rows = ranks.map((counts, index) => ({ ...shown[index], ...counts }));
  return {
    json: {
      clanId,
      dryRun: true,
      members,
      rise,
      fall,
      changed,
      droppedAppointments: dropped,
      ranks: rows.map(({ rank: _rank, ...row }) => row),
    },
    text: [
      facts([
        ["clan", clanId],
        ["members", members.toString()],
        ["change", changesText(preview)],
      ]),
      table(
        ["RANK", "KIND", "FROM XP", "MEMBERS NOW", "MEMBERS THEN", "RISE TO IT", "FALL TO IT"],
        rows.map((row) => [
          row.rank.name,
          row.rank.kind,
          row.threshold ?? "",
          ...[row.before, row.after, row.rise, row.fall].map((count) => count.toString()),
        ]),
        ["FROM XP", "MEMBERS NOW", "MEMBERS THEN", "RISE TO IT", "FALL TO IT"],
      ),
    ].join("\n\n"),
  };
}

/** One sentence without its end. */
export function changesText({ rise, fall, changed, dropped }: RanksPreview): string {
  if (changed + dropped === 0) return "no member's rank changes";
  const others = changed - rise - fall;
  const appointments = dropped === 1 ? "1 appointment ends" : `${dropped} appointments end`;
  return `${rise} rise, ${fall} fall, ${others} get another rank; ${appointments}`;
}
