// What commands reject before they change anything: what does not exist, and arguments that are none. Rules of one
// command alone are in the file of that command.
import { expect, test } from "vitest";
import { patientCliOn } from "../../support/cli.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
await world.makeClan({ clanId: "c1" });
const { audit, ledger } = world.database.models;
const changes = () => Promise.all([audit.countDocuments(), ledger.countDocuments()]);
async function expectRejected(args: readonly string[], exitCode: number, code: string, message: string): Promise<void> {
  const unchanged = await changes();
  const { answer, ...ran } = await cli.json(...args);
  const error = { code, message: expect.stringContaining(message) };
  expect({ args, exitCode: ran.exitCode, answer }).toMatchObject({ args, exitCode, answer: { error } });
  expect(await changes()).toStrictEqual(unchanged);
}

test.each([
  ["clan_not_found", "clan delete nobody --yes"],
  ["clan_not_found", "clan delete nobody --dry-run"],
  ["clan_not_found", "rank set nobody --rank A:STAFF"],
  ["clan_not_found", "key create nobody --name n"],
  ["clan_not_found", "key list nobody"],
  ["clan_not_found", "member list nobody"],
  ["clan_not_found", "member add nobody 4711"],
  ["clan_not_found", "member remove nobody 4711"],
  ["clan_not_found", "member name nobody 4711 Ada"],
  ["clan_not_found", "member erase nobody 4711 --yes"],
  ["clan_not_found", "boost add nobody --name n --factor 2 --weekends 1 --time-zone UTC"],
  ["clan_not_found", "boost list nobody"],
  ["clan_not_found", "board set nobody b --every day"],
  ["clan_not_found", "event list nobody"],
  ["clan_not_found", "event repair nobody --since 2026-01-01"],
  ["clan_not_found", "export nobody members"],
  ["clan_not_found", "audit list --clan nobody"],
  ["clan_not_found", "reconcile --clan nobody"],
  ["clan_not_found", "rebuild --clan nobody"],
  ["clan_not_found", "reset nobody --yes"],
  ["clan_not_found", "reset list nobody"],
  ["clan_not_found", "reverse nobody --batch b --yes"],
  ["clan_not_found", "reverse nobody --reset rst_none --yes"],
  ["member_not_found", "member show c1 never-seen"],
  ["member_not_found", "member remove c1 never-seen"],
  ["member_not_found", "member appoint c1 never-seen --rank Officer"],
  ["rank_not_found", "member list c1 --rank recruit"],
  ["key_not_found", "key rotate nobody"],
  ["key_not_found", "key revoke nobody"],
  ["key_not_found", "key limit nobody --requests 5"],
  ["key_not_found", "batch cancel --key nobody"],
  ["batch_not_found", "batch show bat_nobody"],
  ["batch_not_found", "batch cancel bat_nobody"],
  ["boost_not_found", "boost end bst_unknown"],
  ["board_not_found", "board season c1 b --from 2040-01-01 --to 2040-01-02"],
  ["board_not_found", "board remove c1 b"],
  ["reset_not_found", "reset show rst_none"],
  ["reset_not_found", "reset cancel rst_none"],
  ["reset_not_found", "reverse c1 --reset rst_none --yes"],
  ["reset_not_found", "reverse c1 --reset rst_none --dry-run"],
])("exits with code 1 and %s for: %s", async (code, command) => {
  await expectRejected(command.split(" "), 1, code, "");
});

/** With each of the values in place of `*`. */
test.each<[command: string, message: string, values?: string[]]>([
  ["clan create *", "is not a clan id", ["", ".", "a/b", "a.b", "\u00fc", "x".repeat(65), "$where"]],
  ["clan set c1", "Name at least one setting"],
  ["clan set c1 --xp-floor 11 --xp-cap 10", "The minimum would be 11, above the maximum 10"],
  ["clan set c1 --xp-cap -1", "The minimum would be 0, above the maximum -1"],
  ["clan set c1 --xp-cap *", "--xp-cap is an integer from", ["9223372036854775808", "none"]],
  ["clan set c1 --xp-floor 1.5", "--xp-floor is an integer from"],
  ["clan set c1 --amount-max *", "--amount-max is an integer from 1", ["0", "1000000000001"]],
  ["clan set c1 --xp-per-day *", "--xp-per-day is none or a whole number", ["0", "1.5", "1000000000000001"]],
  ["clan set c1 --auto yes", "--auto is on or off"],
  ["clan set c1 --award-events maybe", "--award-events is on or off"],
  ["clan set c1 --name *", "--name is 1 to 100 characters", ["a\nb"]],
  ["clan set c1 --xp-ceiling 5", "Unknown option '--xp-ceiling'"],
  ["clan set c1 --xp-cap", "argument missing"],
  ["clan list --sort xp", "--sort is only for --totals"],
  ["clan list --totals --sort name", "--sort is xp"],
  ["clan delete c1", "--yes is missing"],
  ["rank set c1", "Name the ranks with --rank"],
  ["rank set c1 --dry-run", "Name the ranks with --rank"],
  ["key create c1", "Required option '--name <name>'"],
  ["key create c1 --name *", "--name is 1 to 100 characters", ["", "x".repeat(101)]],
  ["key create c1 --name n --scope raed", 'Did you mean "read"?'],
  ["key create c1 --name n --expires 2020-01-01", "--expires is in the past"],
  ["key create c1 --name n --expires *", "--expires is a timestamp with time zone", ["2999-01-01T00:00:00", "soon"]],
  ["key rotate k1 --grace *", "--grace is at most 7d", ["8d", "169h"]],
  ["key rotate k1 --grace *", "--grace is a duration", ["-1h", "1", "1w", "h", ""]],
  ["key limit k1", "Name at least one limit"],
  ["key limit k1 --requests *", "--requests is none or a whole number", ["0", "-5"]],
  ["key limit k1 --awards 1.5", "--awards is none or a whole number"],
  ["key limit k1 --amount-max 0", "--amount-max is none or a whole number"],
  ["key limit k1 --xp-per-day many", "--xp-per-day is none or a whole number"],
  ["member show c1 *", "is not a platform id", [".", "..", "a/b", "a b", "x".repeat(65), "", "$gt"]],
  ["member add c1 $gt", "is not a platform id"],
  ["member appoint c1 m", "Required option '--rank"],
  ["member name c1 m *", "a name has 1 to 64 characters", ["a\u202eb"]],
  ["member list c1 --sort rank", "--sort is xp or platformId"],
  ["member list c1 --search m --sort platformId", "--sort"],
  ["member list c1 --search *", "--search", [" "]],
  ["member list c1 --limit *", "--limit is a whole number from 1 to 200", ["0", "201"]],
  ["member top c1 --limit 0", "--limit is a whole number from 1 to 200"],
  ["member top c1 --around a/b", "--around is a platformId"],
  ["member erase --yes", "Missing required argument"],
  ["member erase --all-clans --yes", "Missing required argument"],
  ["member erase one --yes", "Name the clan and the platform ID"],
  ["member erase a b c --yes", "Name the clan and the platform ID"],
  ["member erase --all-clans a b --yes", "Name the clan and the platform ID"],
  ["member erase c1 a/b --yes", "is not a platform id"],
  ["batch cancel", "Name either a batch or an API key"],
  ["batch cancel bat_1 --key k1", "Name either a batch or an API key"],
  ["event list c1 --after *", "--after is now, or a cursor", ["x", "x."]],
  ["event list c1 --type *", "--type is one of member.rank_changed", ["member.rank", "*"]],
  ["event list c1 --limit 201", "--limit is a whole number from 1 to 200"],
  ["event list c1 --newest --after now", "--newest"],
  ["event list c1 --newest --follow", "--newest"],
  ["event repair c1", "Required option '--since <time>'"],
  ["event repair c1 --since yesterday", "--since is a timestamp"],
  ["export c1 members --format xml", "--format is csv or ndjson"],
  ["export c1 members --type member.*", "--since and --type are for an export of events"],
  ["export c1 keys", "members, ledger, events can be exported"],
  ["reconcile --clan a/b", "is not a clan id"],
  ["audit list --clan a/b", "is not a clan id"],
  ["audit list --action clan.sett", '"clan.set"?'],
  ["audit list --from yesterday", "--from is a timestamp"],
  ["audit list --from 2026-11-02 --to 2026-11-02", "--to must be later than --from"],
  ["audit list --limit 0", "--limit is a whole number from 1 to 1000"],
  ["reset c1 --keep *", "--keep is a whole number from 0 to 100", ["-1", "100.5", "101", "", "ten"]],
  ["reverse c1 --match m --from yesterday", "--from is a timestamp"],
  ["reverse c1 --match m --from 2020-01-01 --to 2019-01-01", "--to must be later than --from"],
  ["reverse c1 --batch b --reason *", "--reason has at most 500 characters", ["r".repeat(501)]],
  ["reverse c1", "Name exactly one of"],
  ["reverse c1 --award awd_x", "Name exactly one of"],
  ["reverse c1 --key k", "Name exactly one of"],
  ["reverse c1 --batch b --match m", "Name exactly one of"],
  ["reverse c1 --batch b --from 2020-01-01", "Name exactly one of"],
])("exits with code 2 for: %s (%s)", async (command, message, values = [""]) => {
  for (const value of values) {
    const args = command.split(" ").map((word) => (word === "*" ? value : word));
    await expectRejected(args, 2, "usage", message);
  }
});
