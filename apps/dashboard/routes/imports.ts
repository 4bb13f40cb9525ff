// The import of members from a file that a person uploads: the same as by the command line, of a smaller file.
import { Readable } from "node:stream";
import { UPLOAD_LINES_MAX, type ImportColumns, type importEndpoints } from "#contract/dashboard/imports.ts";
import { AppError } from "#kernel/app-error.ts";
import { isAppointable } from "#domain/rank.ts";
import { sampleText } from "#export/sample-text.ts";
import { fileColumns } from "#import/file-columns.ts";
import { readImport } from "#import/read-import.ts";
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import type { BadLine, ImportLine, ImportMembers } from "#members/import-members.ts";
import type { PreviewReversal } from "#reversals/preview-reversal.ts";
import { undoOfImport } from "#reversals/undo-import.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";
import type { SubmitForPerson } from "./submit-for-person.ts";

/** `openCheck`: a new dry run, which remembers what it foresees. */
export function makeImportRoutes(deps: {
  importMembers: ImportMembers;
  openCheck: () => ImportMembers;
  rules: ClanRules;
  previewReversal: PreviewReversal;
  submitForPerson: SubmitForPerson;
}): Routes<typeof importEndpoints> {
  const { previewReversal, submitForPerson } = deps;

  return {
    "read-import-columns": ({ body: { head } }) => fileColumns(head),

    async "download-import-sample"({ params: { clanId } }) {
      const { ranks } = await clanOf(deps.rules, clanId);
      return { fileName: "clan-xp-sample.csv", text: eachOf([sampleText(ranks.find(isAppointable)?.name ?? null)]) };
    },

    async "preview-undo-import"({ params: { clanId }, query: { name } }) {
      const { awards, members, amount } = await previewReversal(clanId, undoOfImport(name).by);
      return { awards, members, amount: amount.toString() };
    },

    async "undo-import"({ params: { clanId }, body: { name }, by }) {
      const { reversalId, state } = await submitForPerson({ clanId, caller: by, ...undoOfImport(name) });
      return { reversalId, status: state };
    },

    async "import-members"({ params: { clanId }, body: { csv, name, columns, dryRun }, by }) {
      const clan = await clanOf(deps.rules, clanId);
      const lines = await linesIn(csv, columns);
      // Like `clanxp import` without --events.
      const request = { clan, name, silent: true };
      if (dryRun) return deps.openCheck()(request, eachOf(lines), by);
      return deps.importMembers(request, eachOf(lines), by).catch(explain);
    },
  };
}

/** All lines, before anything is changed. */
async function linesIn(csv: string, columns: ImportColumns | undefined): Promise<(ImportLine | BadLine)[]> {
  const lines: (ImportLine | BadLine)[] = [];
  const map = columns === undefined ? null : new Map(Object.entries(columns));
  const file = Readable.from([Buffer.from(csv)], { objectMode: false });
  try {
    for await (const line of readImport(file, { path: "", format: "csv", map })) {
      if (lines.length === UPLOAD_LINES_MAX) throw new AppError("invalid_request", TOO_MANY);
      lines.push(line);
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    throw new DashboardError("invalid_request", `${error.message} Nothing was changed.`, {
      faults: [{ pointer: "/csv", detail: error.message }],
    });
  }
  return lines;
}

const TOO_MANY = `The file has more than ${UPLOAD_LINES_MAX.toLocaleString("en")} lines below the first one. Divide it, and import each part.`;

async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** The lines before the failure were imported. */
function explain(error: unknown): never {
  if (!(error instanceof AppError) || !FAILURES.has(error.code)) throw error;
  throw new DashboardError("outcome_unknown", PARTLY, { cause: error });
}

const FAILURES: ReadonlySet<string> = new Set(["unavailable", "busy", "outcome_unknown"]);
const PARTLY =
  "The import was interrupted, and some lines may be imported. Import the same file under the same name again: each line counts once.";
