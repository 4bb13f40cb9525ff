// Gives every entry of a compressed tar archive the same time, so that the same content always has the same bytes.

import { gunzipSync, gzipSync } from "node:zlib";

const BLOCK = 512;
/** Of an entry's header, in bytes from its start. */
const [SIZE_AT, TIME_AT, SUM_AT, SUM_END] = [124, 136, 148, 156];
/** Of the compressed file: the operating system on which it was made. */
const [SYSTEM_AT, SYSTEM_UNKNOWN] = [9, 255];

/** `time` is in seconds since 1970. */
export function withFixedTimes(archive: Buffer, time: number): Buffer {
  const tar = gunzipSync(archive);
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    const header = tar.subarray(at, at + BLOCK);
    header.write(octal(time, 11), TIME_AT, "latin1");
    // The sum is that of a header with spaces in its place.
    header.fill(" ", SUM_AT, SUM_END);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${octal(sum, 6)}\0`, SUM_AT, "latin1");
    const size = Number.parseInt(header.toString("latin1", SIZE_AT, TIME_AT), 8);
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
  const compressed = gzipSync(tar, { level: 9 });
  compressed[SYSTEM_AT] = SYSTEM_UNKNOWN;
  return compressed;
}

function octal(number: number, digits: number) {
  return number.toString(8).padStart(digits, "0");
}
