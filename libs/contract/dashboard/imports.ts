// The import of members from a CSV file: checked, which changes nothing, or applied.
import { z } from "zod";
import { isLineKey } from "#domain/award-key.ts";
import { ClanParams, CsvFile, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { ReversalAccepted, ReversalPreview } from "#contract/reversal.ts";

/** Lines of a file below the first one. They take some seconds; the command line imports longer files. */
export const UPLOAD_LINES_MAX = 10_000;
/** 400 bytes for each line. */
export const UPLOAD_BYTES_MAX = 4 * 1024 * 1024;
/** As JSON, quotes and line breaks take two bytes. */
const BODY_BYTES_MAX = 2 * UPLOAD_BYTES_MAX;

/** The fields of a line. A file may have columns of other names for them. */
export const importFields = ["platformId", "name", "xp", "membership", "appointedRank", "reason", "key"] as const;
export type ImportField = (typeof importFields)[number];

/** By field, the name of its column. Fields without one are absent. */
const Columns = z.partialRecord(z.enum(importFields), z.string());
export type ImportColumns = z.infer<typeof Columns>;

/** The beginning of a file, with its first line: longer ones are rejected. */
export const HEAD_CHARS_MAX = 20_000;

const ImportName = z
  .string()
  .refine(isLineKey, { error: "must be 1 to 190 letters, digits and signs, without spaces" });

/** `isKnown`: all columns have names of fields. Otherwise, `guess` says what the names of some seem to mean. */
const FileColumns = z.strictObject({ columns: z.array(z.string()), isKnown: z.boolean(), guess: Columns });

const ImportRequest = z.strictObject({
  /** The text of the file. */
  csv: z.string().min(1, { error: "is empty" }),
  /** A line without a key counts once for each member and name. */
  name: ImportName,
  /** Absent: the columns have the names of the fields. */
  columns: Columns.optional(),
  /** Only reports what the import would do. */
  dryRun: z.boolean(),
});

const NotedLine = z.strictObject({ line: z.int(), detail: z.string() });

/** The counts and the first lines of each kind, as `clanxp import` reports them. */
export const ImportReport = z.strictObject({
  lines: z.int(),
  imported: z.int(),
  repeated: z.int(),
  repeatedInFile: z.int(),
  shortened: z.int(),
  skipped: z.int(),
  faults: z.array(NotedLine),
  notes: z.array(NotedLine),
});
export type ImportReport = z.infer<typeof ImportReport>;

export const importEndpoints = {
  "import-members": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/members/import",
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: ImportRequest,
    bodyBytesMax: BODY_BYTES_MAX,
    response: ImportReport,
  }),
  "read-import-columns": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/import/columns",
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: z.strictObject({ head: z.string().max(HEAD_CHARS_MAX) }),
    response: FileColumns,
  }),
  /** A file that can be imported, with a rank of the clan. */
  "download-import-sample": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/import/sample.csv",
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: CsvFile,
  }),
  /** What undoing the import of this name would take back: its awards that are not reversed yet. */
  "preview-undo-import": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/import/undo",
    access: "owner",
    params: ClanParams,
    query: z.strictObject({ name: ImportName }),
    body: NoBody,
    response: ReversalPreview,
  }),
  "undo-import": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/import/undo",
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: z.strictObject({ name: ImportName }),
    response: ReversalAccepted,
  }),
};
