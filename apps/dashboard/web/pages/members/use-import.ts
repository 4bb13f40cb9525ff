// Reads, checks and applies the import of a chosen file. Its columns are read as soon as it is chosen, and a check
// waits for them.
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { HEAD_CHARS_MAX, type ImportColumns, type ImportReport } from "#contract/dashboard/imports.ts";
import { ApiError } from "../../api/api-error.ts";
import { call, type ResponseOf } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { textOfFile } from "./text-of-file.ts";

/** The largest file takes some seconds, on a busy server many. */
const TIMEOUT_MS = 180_000;

type FileColumns = ResponseOf<"read-import-columns">;
type Content = { csv: string; name: string; columns?: ImportColumns };
type Read = { csv: string; found: FileColumns };
/** What was checked: the file may change until it is imported. */
type Checked = { content: Content; report: ImportReport };

/** The place of the fault if no column has the player IDs. */
export const ID_COLUMN = "/columns/platformId";

export function useImport(clanId: string) {
  const params = { clanId };
  const invalidate = useInvalidate();
  const reading = useRef<Promise<Read> | null>(null);
  const [found, setFound] = useState<FileColumns | null>(null);
  const [chosen, setChosen] = useState<ImportColumns | null>(null);

  async function read(file: File | null): Promise<Read> {
    const csv = await textOfFile(file);
    return { csv, found: await call("read-import-columns", { params, body: { head: csv.slice(0, HEAD_CHARS_MAX) } }) };
  }

  function choose(file: File | null): void {
    setFound(null);
    setChosen(null);
    const begun = read(file);
    reading.current = begun;
    // A check reports why it failed.
    begun.then(
      (result) => (reading.current === begun ? setFound(result.found) : undefined),
      () => {},
    );
  }

  const send = (content: Content, dryRun: boolean) =>
    call("import-members", { params, body: { ...content, dryRun } }, undefined, TIMEOUT_MS);
  const check = useMutation({
    async mutationFn({ file, name }: { file: File | null; name: string }): Promise<Checked> {
      // Once more if it could not be read before.
      const { csv, found: columns } = await (reading.current ?? read(file)).catch(() => read(file));
      const content = { csv, name, ...columnsToSend(columns, chosen) };
      return { content, report: await send(content, true) };
    },
  });
  const apply = useMutation({
    mutationFn: ({ content }: Checked) => send(content, false),
    onSettled: () =>
      invalidate("list-members", "read-member", "read-member-ledger", "read-overview", "read-highlights"),
  });
  const asked = found && needsChoice(found) ? { columns: found.columns, chosen: chosen ?? found.guess } : null;
  return { choose, asked, setChosen, check, apply };
}

function needsChoice({ columns, isKnown }: FileColumns): boolean {
  return !isKnown && columns.length > 0;
}

/** Throws ApiError if no column has the player IDs. */
function columnsToSend(found: FileColumns, chosen: ImportColumns | null): { columns?: ImportColumns } {
  if (!needsChoice(found)) return {};
  const columns = chosen ?? found.guess;
  if (columns.platformId !== undefined) return { columns };
  const detail = "Choose the column of the player IDs.";
  throw new ApiError({
    code: "invalid_request",
    detail,
    requestId: null,
    faults: [{ pointer: ID_COLUMN, detail }],
  });
}
