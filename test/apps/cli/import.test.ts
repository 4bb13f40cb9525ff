// import: each line once, bad lines by number, and what the clan's rules say of each.
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { importKey } from "#domain/award-key.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { cliOn, spawnCli } from "../../support/cli.ts";
import { foreseen } from "./foreseen.ts";
import { openProxies } from "../../support/proxies.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();
const cli = cliOn({ MONGO_URL: world.mongoUrl });
const fileOf = useFiles();
const makeClan = async (changes = {}) => (await world.makeClan(changes)).clan.clanId;
const show = async (clanId: string, platformId: string) =>
  (await cli.json("member", "show", clanId, platformId)).answer;
const entries = (clanId: string) =>
  world.database.db().collection<any>("ledger").countDocuments({ "_id.clanId": clanId });

const CSV = `platformId,xp,membership,appointedRank,reason
a,150,,,"from the ""old"" bot, once"
b,50,true,,
c,,true,Officer,
d,-5,,,
e,9000000000000000000,,,
`;

describe("clanxp import", () => {
  test("adds XP, memberships and appointments, and changes nothing when it is run again", async () => {
    const clanId = await makeClan();
    const file = fileOf("members.csv", CSV);
    const counts = { lines: 5, imported: 5, repeated: 0, repeatedInFile: 0, shortened: 1, skipped: 0, faults: [] };
    const notes = [{ line: 5, detail: "the clan's floor or cap shortens -5 XP to 0 XP" }];
    const dry = await cli.json("import", clanId, file, "--dry-run");
    expect([dry.exitCode, dry.answer]).toStrictEqual([0, { clanId, dryRun: true, ...counts, notes }]);
    expect(await entries(clanId)).toBe(0);
    const first = await cli.json("import", clanId, file);
    expect([first.exitCode, first.answer]).toStrictEqual([0, { clanId, dryRun: false, ...counts, notes }]);
    const after = await entries(clanId);
    expect((await cli.json("import", clanId, file)).answer).toMatchObject({ imported: 0, repeated: 5 });
    expect(await entries(clanId)).toBe(after);

    expect(await show(clanId, "a")).toMatchObject({ xp: "150", rank: "Recruit" });
    expect(await show(clanId, "b")).toMatchObject({ xp: "50", rank: "Recruit" });
    expect(await show(clanId, "c")).toMatchObject({ xp: "0", rank: "Officer" });
    expect(await show(clanId, "d")).toMatchObject({ xp: "0", membership: null });
    expect(await show(clanId, "e")).toMatchObject({ xp: "9000000000000000000", rank: "Elite" });
    const ofA = { "_id.clanId": clanId, "_id.platformId": "a" };
    const entry = await world.database.db().collection<any>("ledger").findOne(ofA);
    expect(entry).toMatchObject({ reason: 'from the "old" bot, once', apiKeyId: "cli" });
    const others = { "_id.clanId": clanId, "_id.platformId": { $ne: "a" } };
    expect(await world.database.db().collection("ledger").distinct("reason", others)).toStrictEqual(["import import"]);
    expect((await cli.json("reconcile", "--clan", clanId)).exitCode).toBe(0);
  });

  test("sets names with or without anything else, the last of a member, and keeps them without the column or a value", async () => {
    const clanId = await makeClan();
    const nameOf = async (platformId: string) =>
      (await makeNameStore(world.database).read(clanId, [platformId])).get(platformId);
    const names = fileOf(
      "names.csv",
      "platformId,xp,name\na,150, Zoe\u0301 \nb,,First\nb,,'=Second\nc,5,\nd,1,a\u202eb\n",
    );
    const report = await foreseen(cli, clanId, names);
    expect(report).toMatchObject({ exitCode: 1, imported: 4, repeated: 0, skipped: 1 });
    expect(report.faults).toEqual([
      { line: 6, detail: expect.stringMatching(/^name does not have 1 to 64 characters, some of them visible/) },
    ]);
    expect(await show(clanId, "a")).toMatchObject({ xp: "150", name: "Zo\u00e9" });
    expect(await Promise.all(["b", "c", "d"].map(nameOf))).toStrictEqual(["=Second", undefined, undefined]);

    expect(await foreseen(cli, clanId, names)).toMatchObject({ imported: 2, repeated: 2, skipped: 1 });
    const same = fileOf("same.csv", "platformId,xp,name\na,150,Zo\u00e9\nb,,=Second\n");
    expect(await foreseen(cli, clanId, same)).toMatchObject({ imported: 0, repeated: 2 });
    const other = fileOf(
      "other.ndjson",
      '{"platformId":"a","xp":150,"name":"Other"}\n{"platformId":"b","xp":1,"name":null}\n',
    );
    expect(await foreseen(cli, clanId, other)).toMatchObject({ imported: 2, repeated: 0 });
    expect(await show(clanId, "a")).toMatchObject({ xp: "150", name: "Other" });
    expect(await nameOf("b")).toBe("=Second");
    const without = fileOf("without.csv", "platformId,xp\na,150\nc,5\n");
    expect(await foreseen(cli, clanId, without)).toMatchObject({ imported: 0, repeated: 2 });
    expect(await nameOf("a")).toBe("Other");
  });

  test("with --dry-run foresees repeats, memberships, keys, the floor and the cap as the import then reports them", async () => {
    const clanId = await makeClan({ autoClan: false, xpFloor: -10n, xpCap: 100n });
    await cli.json("import", clanId, fileOf("earlier.csv", "platformId,xp,membership\nold,1,true\nwas,2,true\n"));
    const text = `platformId,xp,membership,appointedRank,key
m1,5,,,
m1,,true,,
m1,50,,,
m1,50,,,
m1,70,,,
m1,70,,,b
m1,9,,,c
m1,-900,,,d
old,1,true,,
old,1,true,,
was,3,,,
m2,,,Officer,
m2,,,Officer,
m2,1,,Elite,
`;
    const report = await foreseen(cli, clanId, fileOf("foreseen.csv", text));
    const counts = { imported: 6, repeated: 1, repeatedInFile: 3, shortened: 3, skipped: 4 };
    expect(report).toMatchObject({ exitCode: 1, lines: 14, ...counts });
    const linesOf = (listed: any[]) => listed.map(({ line, detail }) => [line, detail]);
    expect(linesOf(report.faults)).toStrictEqual([
      [2, "the player has no membership, and the clan is not an Auto Clan"],
      [6, 'repeated in this file with other values: line 4 has the same member and the same key "import"'],
      [12, 'the key "import" was imported for this member before, with other values'],
      [15, '"Elite" is not a rank that the clan gives by appointment'],
    ]);
    expect(linesOf(report.notes)).toStrictEqual([
      [5, 'repeated in this file: line 4 has the same member and the same key "import", and counts once'],
      [7, "the clan's floor or cap shortens 70 XP to 50 XP"],
      [8, "the clan's floor or cap shortens 9 XP to 0 XP"],
      [9, "the clan's floor or cap shortens -900 XP to -110 XP"],
      [11, 'repeated in this file: line 10 has the same member and the same key "import", and counts once'],
      [14, 'repeated in this file: line 13 has the same member and the same key "import", and counts once'],
    ]);
    expect((await show(clanId, "m1")).xp).toBe("-10");
    // All but the bad and the repeated lines were imported before now.
    const again = await foreseen(cli, clanId, fileOf("foreseen.csv", text));
    expect(again).toMatchObject({ imported: 0, repeated: 7, repeatedInFile: 3, shortened: 0 });
  });

  test("with --dry-run foresees lines far apart, and an equal pair is not lost without a note", async () => {
    const clanId = await makeClan();
    const rows = Array.from({ length: 450 }, (_, index) => `p${index % 400},60,${index % 425}`);
    const report = await foreseen(cli, clanId, fileOf("apart.csv", `platformId,xp,key\n${rows.join("\n")}\n`));
    expect(report).toMatchObject({ exitCode: 0, imported: 450, repeatedInFile: 0 });
    const pair = await foreseen(cli, clanId, fileOf("pair.csv", "platformId,xp\npair,50\npair,50\n"));
    expect(pair).toMatchObject({ exitCode: 0, imported: 1, repeated: 0, repeatedInFile: 1 });
    expect(pair.notes).toStrictEqual([{ line: 3, detail: expect.stringContaining("repeated in this file: line 2") }]);
  });

  test("reports an invalid line with its number, imports the others, and exits with code 1", async () => {
    const clanId = await makeClan();
    const csv = fileOf("bad.csv", 'platformId,xp\na,5\nb,1.5\n"c,5\nd",x,y\nno id,5\nf,\ng,6,7\nh,7\n');
    const { exitCode, answer } = await cli.json("import", clanId, csv);
    expect([exitCode, answer.imported]).toStrictEqual([1, 2]);
    expect(answer.faults.map((fault: any) => fault.line)).toStrictEqual([3, 5, 6, 7, 8]);
    // It has XP, which is bad.
    expect(answer.faults[0].detail).toMatch(/^xp is not an integer[^;]*$/);
    expect(answer.faults[3].detail).toBe("it has neither XP, nor a membership, nor an appointed rank, nor a name");
    expect(answer.faults[4].detail).toContain("more or fewer cells");
    expect([(await show(clanId, "a")).xp, (await show(clanId, "h")).xp]).toStrictEqual(["5", "7"]);

    const lines = [
      '{"platformId":"n","xp":12}',
      "{oops",
      "[1]",
      '{"platformId":"m","xpp":1}',
      "",
      `{"platformId":"${"x".repeat(20_000)}"}`,
    ];
    const ndjson = fileOf("bad.ndjson", `${lines.join("\n")}\n{"platformId":"o","xp":"13"}`);
    const second = (await cli.json("import", clanId, ndjson)).answer;
    expect(second.imported).toBe(2);
    expect(second.faults.map((fault: any) => [fault.line, fault.detail])).toStrictEqual([
      [2, "it is not a JSON object"],
      [3, "it is not a JSON object"],
      [4, expect.stringContaining('the field "xpp" is unknown')],
      [6, "it is longer than 16384 characters"],
    ]);
    expect((await cli.run("import", clanId, ndjson)).stdout).toContain("it is not a JSON object");
  });

  test.each(["", "\n"])("ignores a byte-order mark before a single line that ends with %j", async (end) => {
    const clanId = await makeClan();
    const file = fileOf("bom.ndjson", `\uFEFF{"platformId":"a","xp":5}${end}`);
    expect((await cli.json("import", clanId, file)).answer).toMatchObject({ lines: 1, imported: 1, faults: [] });
  });

  test("lists the first 100 of more invalid lines, counts all, imports the others, and exits with code 1", async () => {
    const clanId = await makeClan();
    const rows = Array.from({ length: 350 }, (_, index) => `p${index},${index % 2 === 0 ? "x" : "1"}`);
    const file = fileOf("worse.csv", `platformId,xp\n${rows.join("\n")}\n`);
    for (const options of [["--dry-run"], []]) {
      const { exitCode, answer } = await cli.json("import", clanId, file, ...options);
      expect([exitCode, answer.lines, answer.imported, answer.skipped]).toStrictEqual([1, 350, 175, 175]);
      expect(answer.faults.map(({ line }: any) => line)).toStrictEqual(
        Array.from({ length: 100 }, (_, at) => 2 + 2 * at),
      );
    }
    const { exitCode, stdout } = await cli.run("import", clanId, file);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^ 200  xp is not an integer[^]*\n\n75 more lines were skipped\./m);
  });

  test("imports a member once for each name or key, and rejects other values with the same name or key", async () => {
    const clanId = await makeClan();
    await cli.json("import", clanId, fileOf("one.csv", "platformId,xp\na,5\n"));
    const two = fileOf("two.csv", "platformId,xp\na,6\nb,1\n");
    const changed = await cli.json("import", clanId, two);
    const faults = [{ line: 2, detail: expect.stringContaining("other values") }];
    expect(changed.answer).toMatchObject({ imported: 1, skipped: 1, faults });
    expect((await cli.json("import", clanId, two, "--name", "season-2")).answer.imported).toBe(2);
    await cli.json("import", clanId, fileOf("keys.csv", "platformId,xp,key\na,10,k1\na,10,k2\na,10,k1\n"));
    expect((await show(clanId, "a")).xp).toBe("31");
  });

  test("applies every line once if it is killed during a commit and run again", async () => {
    const clanId = await makeClan();
    const rows = Array.from({ length: 600 }, (_, index) => `p${index % 200},7,k${index}`);
    const file = fileOf("many.csv", `platformId,xp,key\n${rows.join("\n")}\n`);
    const proxies = await openProxies(world);
    onTestFinished(() => proxies.close());
    // MongoDB gets this line, and the command no answer.
    const cut = proxies.mongo.cutAfter("there", { text: importKey("xp", "k300") }, { silently: true });
    const child = spawnCli({ MONGO_URL: proxies.config.mongoUrl }, ["import", clanId, file], { stdio: "inherit" });
    const ended = once(child, "exit");
    await cut;
    child.kill("SIGKILL");
    expect(await ended).toStrictEqual([null, "SIGKILL"]);
    const records = async () => (await cli.json("audit", "list", "--clan", clanId)).answer.records;
    const begun = { action: "member.import", target: "import", after: { importId: expect.any(String) } };
    expect((await records())[0]).toMatchObject(begun);
    expect((await records())[0].after).not.toHaveProperty("imported");
    const { answer } = await cli.json("import", clanId, file);
    const { imported, repeated } = answer;
    expect((await records()).slice(0, 2)).toMatchObject([{ after: { lines: 600, imported, repeated } }, begun]);
    expect(answer.imported + answer.repeated).toBe(600);
    expect(answer.repeated).toBeGreaterThan(200);
    expect(await entries(clanId)).toBe(600);
    expect((await show(clanId, "p199")).xp).toBe("21");
    expect((await cli.json("reconcile", "--clan", clanId)).answer.differences).toStrictEqual([]);
  });

  test.each([
    [["/no-such.csv"], "There is no file"],
    [[fileOf("columns.csv", "platformId,xpp\na,5\n")], 'The column "xpp" is unknown'],
    [[fileOf("nothing.txt", "")], "is empty"],
    [[fileOf("good.csv", CSV), "--name", "two words"], "--name"],
  ])("rejects %j with exit code 2 and imports nothing", async (args, hint) => {
    const clanId = await makeClan();
    const { exitCode, answer } = await cli.json("import", clanId, ...args);
    expect([exitCode, answer.error.code]).toStrictEqual([2, "usage"]);
    expect(answer.error.message).toContain(hint);
    expect(await entries(clanId)).toBe(0);
  });
});
