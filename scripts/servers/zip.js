// Takes one file out of a zip archive (a Python wheel is one), so that no unzip program is needed.
// Format: APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12, 4.3.16; no ZIP64, since wheels under 4 GB have none.

import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_BYTES = 22;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;

/**
 * @param {string} archive
 * @param {string} suffix how the file's path in the archive ends
 * @returns {Buffer | undefined}
 */
export function readFromZip(archive, suffix) {
  const zip = readFileSync(archive);
  let end = zip.length - END_OF_DIRECTORY_BYTES;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1; // a comment may follow it
  if (end < 0) return undefined;

  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameBytes = zip.readUInt16LE(entry + 28);
    const name = zip.toString("utf8", entry + DIRECTORY_ENTRY_BYTES, entry + DIRECTORY_ENTRY_BYTES + nameBytes);
    if (name.endsWith(suffix)) return content(zip, entry);
    entry += DIRECTORY_ENTRY_BYTES + nameBytes + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
  }
  return undefined;
}

/**
 * @param {Buffer} zip
 * @param {number} entry
 */
function content(zip, entry) {
  const method = zip.readUInt16LE(entry + 10);
  const bytes = zip.readUInt32LE(entry + 20);
  const header = zip.readUInt32LE(entry + 42);
  const start = header + LOCAL_HEADER_BYTES + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const packed = zip.subarray(start, start + bytes);
  return method === STORED ? packed : inflateRawSync(packed);
}
