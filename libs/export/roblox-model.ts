// A ModuleScript as a Roblox model (.rbxm, version 0 of the binary format), which Studio inserts. The same source gives
// the same bytes. Chunks are not compressed, as the format permits.

const MAGIC = Buffer.from("<roblox!\u0089\u00ff\r\n\u001a\n", "latin1");
const STRING_TYPE = 1;
/** The only class and the only instance of the file. */
const CLASS_ID = 0;
/** A referent of the format: the first instance is 0, and no parent is -1, of which the sign is the lowest bit. */
const [FIRST, NO_PARENT] = [bigEndian(0), bigEndian(1)];

export function robloxModel(name: string, source: string): Buffer {
  const ofClass = (property: string, value: string): Buffer =>
    chunk("PROP", [uint32(CLASS_ID), text(property), byte(STRING_TYPE), text(value)]);
  return Buffer.concat([
    MAGIC,
    // The version, and how many classes and instances there are.
    Buffer.from([0, 0]),
    uint32(1),
    uint32(1),
    Buffer.alloc(8),
    chunk("INST", [uint32(CLASS_ID), text("ModuleScript"), byte(0), uint32(1), FIRST]),
    ofClass("Name", name),
    ofClass("Source", source),
    chunk("PRNT", [byte(0), uint32(1), FIRST, NO_PARENT]),
    chunk("END\0", [Buffer.from("</roblox>")]),
  ]);
}

/** Its compressed length is 0 if it is not compressed. */
function chunk(name: string, parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(name), uint32(0), uint32(data.length), uint32(0), data]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function byte(value: number): Buffer {
  return Buffer.from([value]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
