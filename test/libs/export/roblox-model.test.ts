// A model as the project rbx-dom documents Roblox' binary format, read chunk by chunk.
import { expect, test } from "vitest";
import { robloxModel } from "#export/roblox-model.ts";

const HEADER_BYTES = 32;

function chunksOf(file: Buffer): { name: string; data: Buffer }[] {
  const chunks = [];
  for (let at = HEADER_BYTES; at < file.length;) {
    const [compressed, length, reserved] = [4, 8, 12].map((offset) => file.readUInt32LE(at + offset));
    expect([compressed, reserved]).toStrictEqual([0, 0]);
    const start = at + 16;
    at = start + (length ?? 0);
    chunks.push({ name: file.toString("latin1", start - 16, start - 12), data: file.subarray(start, at) });
  }
  return chunks;
}

const uint32 = (value: number): number[] => [value & 255, value >> 8, 0, 0];
const text = (value: string): number[] => [...uint32(Buffer.byteLength(value)), ...Buffer.from(value)];

test("a model is one ModuleScript with its name and its source, whatever characters it has", () => {
  const source = `-- ${"é🏆".repeat(100)}\nreturn {}\0`;
  const file = robloxModel("ClanXP", source);
  const header = [...Buffer.from("<roblox!"), 0x89, 0xff, 13, 10, 0x1a, 10, 0, 0, ...uint32(1), ...uint32(1)];
  expect([...file.subarray(0, HEADER_BYTES)]).toStrictEqual([...header, ...Array<number>(8).fill(0)]);
  const first = [0, 0, 0, 0];
  const noParent = [0, 0, 0, 1];
  expect(chunksOf(file).map(({ name, data }) => [name, [...data]])).toStrictEqual([
    ["INST", [...uint32(0), ...text("ModuleScript"), 0, ...uint32(1), ...first]],
    ["PROP", [...uint32(0), ...text("Name"), 1, ...text("ClanXP")]],
    ["PROP", [...uint32(0), ...text("Source"), 1, ...text(source)]],
    ["PRNT", [0, ...uint32(1), ...first, ...noParent]],
    ["END\0", [...Buffer.from("</roblox>")]],
  ]);
  expect(robloxModel("ClanXP", source).equals(file)).toBe(true);
});
