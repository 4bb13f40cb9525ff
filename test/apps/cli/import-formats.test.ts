// import: files of other programs, by their delimiters, their columns and their numbers.
import { expect, test } from "vitest";
import { cliOn } from "../../support/cli.ts";
import { foreseen } from "./foreseen.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();
const cli = cliOn({ MONGO_URL: world.mongoUrl });
const fileOf = useFiles();
const clanId = (await world.makeClan()).clan.clanId;
const linesOf = (listed: any[]) => listed.map(({ line }) => line);

const MAP = ["--map", "platformId=id,xp=points"];
test.each<[string, string, string[], number[]]>([
  ["semicolons", 'id;name;points\na;x,y;5\nb;"z;";6\n', MAP, [2, 3]],
  ["tabs", "id\tpoints\tlevel\na\t5\t1\nb\t6\t1\n", MAP, [2, 3]],
  ["a line sep=", "sep=;\r\nid;points\r\na;5\r\nb;6\r\n", MAP, [3, 4]],
  ["a line sep= after a byte-order mark", "\uFEFFsep=,\nid,points\na,5\nb,6\n", MAP, [3, 4]],
  ["a byte-order mark", "\uFEFFid;points\na;5\nb;6\n", MAP, [2, 3]],
  ["a delimiter at the end of each line", "id,points,\na,5,\nb,6,\n", MAP, [2, 3]],
  ["a delimiter at the end of the first line", "platformId,xp,\na,5\nb,6\n", [], [2, 3]],
  ["the names of columns as an export has them", "platform_id,xp,appointed_rank\na,5,\nb,6,\n", [], [2, 3]],
  ["a list of objects", '[{"id":"a","points":5,"level":2},{"id":"b","points":"6"}]', MAP, [1, 2]],
  [
    "an object with a list",
    '{"guild":{"id":"1"},"players":[{"id":"a","points":5},\n{"id":"b","points":6}],"roles":[{"rank":1}]}',
    MAP,
    [1, 2],
  ],
  ["one object a line", '{"id":"a","points":5}\n{"id":"b","points":6}\n', MAP, [1, 2]],
])("import detects %s, and takes mapped columns only", async (name, text, options, lines) => {
  const [own, file] = [["--name", name.replaceAll(" ", "-")], fileOf("foreign.txt", text)];
  const [a, b] = [await xpOf("a"), await xpOf("b")];
  expect(await foreseen(cli, clanId, file, ...options, ...own)).toMatchObject({ exitCode: 0, lines: 2, imported: 2 });
  expect([await xpOf("a"), await xpOf("b")]).toStrictEqual([a + 5, b + 6]);
  const bad = fileOf("foreign.txt", text.replace("5", "1.5").replace("6", "6.1"));
  const { answer } = await cli.json("import", clanId, bad, "--dry-run", ...options, ...own);
  expect(linesOf(answer.faults)).toStrictEqual(lines);
});

async function xpOf(platformId: string): Promise<number> {
  return Number((await cli.json("member", "show", clanId, platformId)).answer.xp ?? 0);
}

test("import takes numbers as the API does: no fraction becomes an integer", async () => {
  const numbers = ["1e-400", "1.0000000000000000001", "0.5", "9007199254740993", "1e400", "1e2", "3.0"];
  const members = numbers.map((number, index) => `{"platformId":"n${index}","xp":${number}}`);
  for (const [name, text] of [
    ["numbers.ndjson", members.join("\n")],
    ["numbers.json", `[${members.join(",")}]`],
  ] as const) {
    const report = await foreseen(cli, clanId, fileOf(name, text), "--name", name);
    expect([report.imported, linesOf(report.faults)]).toStrictEqual([2, [1, 2, 3, 4, 5]]);
    const details = report.faults.map(({ detail }: { detail: string }) => detail);
    expect(details[3]).toBe("xp is a number that may have lost digits: write it as a text, in quotes");
    expect(details[4]).toBe("xp is not an integer");
  }
  expect([await xpOf("n5"), await xpOf("n6")]).toStrictEqual([200, 6]);
});

test("import takes exact numbers as IDs, and guesses neither lost digits nor grouped ones", async () => {
  const json = fileOf("ids.json", '[{"platformId":4716,"xp":1},{"platformId":123456789012345678,"xp":1}]');
  const { imported, faults } = await foreseen(cli, clanId, json);
  expect([imported, faults]).toStrictEqual([
    1,
    [{ line: 2, detail: "platformId is a number that may have lost digits: write it as a text, in quotes" }],
  ]);
  const german = await foreseen(cli, clanId, fileOf("german.csv", "platformId;xp\na;1.250\nb;1,5\n"));
  expect(german).toMatchObject({ exitCode: 1, imported: 0, skipped: 2 });
  expect(german.faults[0].detail).toContain("without separators between its digits");
  expect(await xpOf("4716")).toBe(1);
});

const columns = fileOf("columns.csv", "platformId,xpp\na,5\n");
test.each([
  [[columns, "--map", "platformId=id"], 'no column "id"'],
  [[columns, "--map", "xp=xpp"], "platformId"],
  [[columns, "--map", "platformId=platformId,xpp=xpp"], 'Did you mean "xp"?'],
  [[columns, "--map", "platformId"], "FIELD=COLUMN"],
  [[columns, "--format", "xml"], "--format is auto, csv, ndjson, json"],
  [[fileOf("twice.csv", "platformId,xp,platform_id\na,5,b\n")], "names a column twice"],
  [[fileOf("mapped.csv", "id,points,points\na,5,7\n"), "--map", "platformId=id,xp=points"], "names a column twice"],
  [[fileOf("cut.json", '[{"platformId":"a"')], "not JSON"],
  [[fileOf("players.json", '{"players":[{"id":"a","xp":5}]}')], 'one list of objects with the field "platformId"'],
])("import rejects %j with exit code 2", async (args, hint) => {
  const { exitCode, answer } = await cli.json("import", clanId, ...args);
  expect([exitCode, answer.error.code]).toStrictEqual([2, "usage"]);
  expect(answer.error.message).toContain(hint);
});
