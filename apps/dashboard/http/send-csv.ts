// Sends a CSV file while its text is created, no faster than the browser takes it. If creating it fails in the middle,
// the connection is closed: the browser reports an incomplete file, and not a shorter one.
import { once } from "node:events";
import type { Response } from "express";
import type { CsvFile } from "#contract/dashboard/endpoint.ts";

/** Without it, Excel takes the file for the machine's old encoding. */
const BYTE_ORDER_MARK = "\uFEFF";

export async function sendCsv(res: Response, { fileName, text }: CsvFile): Promise<void> {
  const closed = new AbortController();
  res.once("close", () => closed.abort());
  try {
    for await (const part of text) {
      if (closed.signal.aborted) return;
      // With the first part: an error before it is a response like any other.
      if (!res.headersSent) res.attachment(fileName).write(BYTE_ORDER_MARK);
      if (!res.write(part)) await once(res, "drain", closed);
    }
    res.end();
  } catch (error) {
    // Nobody receives the rest.
    if (!closed.signal.aborted) throw error;
  }
}
