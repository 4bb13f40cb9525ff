// The import of members from a file that a person uploads: the same as by the command line, of a smaller file.
import { Readable } from "node:stream";
import { UPLOAD_LINES_MAX, type importEndpoints } from "#contract/dashboard/imports.ts";
import { AppError } from "#domain/app-error.ts";
import { readImport } from "#import/read-import.ts";
import { clanOf, type ClanRules } from "#usecases/clans/clan-rules.ts";
import type { BadLine, ImportLine, ImportMembers } from "#usecases/members/import-members.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";

/** `openCheck`: a new dry run, which remembers what it foresees. */
export function makeImportRoutes(deps: {
  importMembers: ImportMembers;
  openCheck: () => ImportMembers;
  rules: ClanRules;
}): Routes<typeof importEndpoints> {
  return {
    async "import-members"({ params: { clanId }, body: { csv, name, dryRun }, by }) {
      const clan = await clanOf(deps.rules, clanId);
      const lines = await linesIn(csv);
      // Like `clanxp import` without --events.
      const request = { clan, name, silent: true };
      if (dryRun) return deps.openCheck()(request, eachOf(lines), by);
      return deps.importMembers(request, eachOf(lines), by).catch(explain);
    },
  };
}

/** All lines, before anything is changed. */
async function linesIn(csv: string): Promise<(ImportLine | BadLine)[]> {
  const lines: (ImportLine | BadLine)[] = [];
  const file = Readable.from([Buffer.from(csv)], { objectMode: false });
  try {
    for await (const line of readImport(file, { path: "", format: "csv", map: null })) {
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
