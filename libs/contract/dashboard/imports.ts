// The import of members from a CSV file: checked, which changes nothing, or applied.
import { z } from "zod";
import { isLineKey } from "#domain/award-key.ts";
import { ClanParams, endpoint, NoQuery } from "#contract/dashboard/endpoint.ts";

/** Lines of a file below the first one. They take some seconds; the command line imports longer files. */
export const UPLOAD_LINES_MAX = 10_000;
/** 400 bytes for each line. */
export const UPLOAD_BYTES_MAX = 4 * 1024 * 1024;
/** As JSON, quotes and line breaks take two bytes. */
const BODY_BYTES_MAX = 2 * UPLOAD_BYTES_MAX;

const ImportRequest = z.strictObject({
  /** The text of the file. */
  csv: z.string().min(1, { error: "is empty" }),
  /** A line without a key counts once for each member and name. */
  name: z.string().refine(isLineKey, { error: "must be 1 to 190 letters, digits and signs, without spaces" }),
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
};
