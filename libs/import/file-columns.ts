// The columns of a CSV file, and which fields of an import they seem to be, for a person to confirm.
import { Readable } from "node:stream";
import { parse } from "csv-parse";
import { importFields, type ImportColumns, type ImportField } from "#contract/dashboard/imports.ts";
import { columnName } from "#export/column-name.ts";
import { delimiterOf, peekAt } from "#import/detect-format.ts";
import { fieldNamed } from "#import/import-line.ts";

/** Names that other bots and spreadsheets use, without case, spaces and signs; the first one of a file counts. */
const aliases: Record<ImportField, readonly string[]> = {
  platformId: ["userid", "playerid", "robloxid", "robloxuserid", "discordid", "memberid", "steamid", "id", "uid"],
  name: ["username", "displayname", "playername", "nickname", "player", "user", "member"],
  xp: ["points", "score", "exp", "experience", "totalxp", "currentxp", "totalpoints"],
  membership: ["ismember", "joined"],
  appointedRank: ["staffrank"],
  reason: ["note", "comment"],
  key: ["linekey"],
};

export type FileColumns = { columns: string[]; isKnown: boolean; guess: ImportColumns };

/** `head`: the beginning of the file, with its first line. */
export async function fileColumns(head: string): Promise<FileColumns> {
  const columns = await namesIn(head);
  const isKnown =
    columns.every((name) => fieldNamed(name)) && columns.some((name) => fieldNamed(name) === "platformId");
  return { columns, isKnown, guess: guessOf(columns) };
}

async function namesIn(text: string): Promise<string[]> {
  const { head, whole } = await peekAt(Readable.from([Buffer.from(text)], { objectMode: false }));
  const { delimiter, linesBefore } = delimiterOf(head);
  const options = { bom: true, delimiter, from_line: linesBefore + 1, to: 1, relax_quotes: true };
  for await (const record of whole.pipe(parse({ ...options, skip_empty_lines: true })) as AsyncIterable<string[]>)
    return record.map((name) => name.trim()).filter((name) => name !== "");
  return [];
}

function guessOf(columns: readonly string[]): ImportColumns {
  const free = new Set(columns);
  const guess: ImportColumns = {};
  // The fields' own names first, so that nothing else takes their columns.
  for (const namesOf of [(field: ImportField) => [plain(columnName(field))], (field: ImportField) => aliases[field]]) {
    for (const field of importFields.filter((each) => guess[each] === undefined)) {
      const column = namesOf(field)
        .map((alias) => [...free].find((name) => plain(name) === alias))
        .find(Boolean);
      if (column === undefined) continue;
      guess[field] = column;
      free.delete(column);
    }
  }
  return guess;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
