// Detects the format of a file by its name and its beginning: CSV with its delimiter, NDJSON, or one JSON document.
import { Readable } from "node:stream";

export const fileFormats = ["csv", "ndjson", "json"] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Longer than the first line of any file of members; also all that a detection reads. */
const HEAD_BYTES = 65_536;

const formatOfName: Readonly<Record<string, FileFormat>> = {
  csv: "csv",
  tsv: "csv",
  ndjson: "ndjson",
  jsonl: "ndjson",
};
const DELIMITERS = [",", ";", "\t"] as const;

/** The beginning of a file as text, and the whole file, whose reading can then begin. */
export async function peekAt(file: Readable): Promise<{ head: string; whole: Readable }> {
  const chunks = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const read: Buffer[] = [];
  for (let bytes = 0; bytes < HEAD_BYTES;) {
    const next = await chunks.next();
    if (next.done) break;
    bytes += next.value.length;
    read.push(next.value);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* read;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  const start = Buffer.concat(read);
  const isUtf16 = start[0] === 0xff && start[1] === 0xfe;
  const head = start.toString(isUtf16 ? "utf16le" : "utf8").replace(/^\uFEFF/, "");
  return { head, whole: Readable.from(all(), { objectMode: false }) };
}

/** Null for an empty file whose name does not end with a format. */
export function formatOf(path: string, head: string): FileFormat | null {
  const ofName = formatOfName[path.split(".").at(-1)?.toLowerCase() ?? ""];
  if (ofName) return ofName;
  const text = head.trimStart();
  if (text === "") return null;
  if (text.startsWith("[")) return "json";
  if (!text.startsWith("{")) return "csv";
  const [first = "", ...others] = text.split("\n");
  return isJson(first) && others.some((line) => line.trim() !== "") ? "ndjson" : "json";
}

/** The most frequent one in the first line, outside quotes. `linesBefore`: a first line `sep=;`, which Excel reads. */
export function delimiterOf(head: string): { delimiter: string; linesBefore: number } {
  const named = /^sep=(.)\r?\n/i.exec(head)?.[1];
  if (named !== undefined) return { delimiter: named, linesBefore: 1 };
  const names = (/^[^\r\n]*/.exec(head.trimStart())?.[0] ?? "").replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => names.split(delimiter).length);
  return { delimiter: DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",", linesBefore: 0 };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
