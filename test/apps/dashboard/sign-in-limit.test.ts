// Guesses of passwords are limited by where they come from. What strangers do holds back strangers, never an account's
// owner.
import { beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { makePasswords } from "#accounts/credentials/passwords.ts";
import { digest } from "#process/secrets.ts";
import { makeSignInLimit } from "#accounts/store/sign-in-limit.ts";
import { makeVerifyPassword } from "#accounts/verify-password.ts";
import { makeVisitor, PASSWORD, unlimited, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
/** Behind one proxy, unless it has none. */
const startLimited = (rates: Partial<typeof unlimited>, dashboardProxies = 1) =>
  dashboard.startAnother({ changes: { dashboardProxies }, signInRates: { ...unlimited, ...rates } });
/** Takes 3 attempts for an account from an address, and 5 for an account. */
const limited = await startLimited({ perSource: 3, perAccount: 5 });
const { clanId } = (await dashboard.world.makeClan()).clan;
let people = 0;

async function newOwner() {
  const name = `person-${(people += 1)}`;
  return { name, visitor: await dashboard.signedIn(name, "owner", clanId) };
}

const WRONG = "wrong password";

describe("sign-in", () => {
  beforeEach(() => dashboard.world.database.stored.sign_in_attempts.deleteMany({}));

  /** From the address that the one proxy in front reports. */
  const attemptOn = (url: string, name: string, password: string, address: string, cookie = "") =>
    makeVisitor(url).send("POST", "/api/sign-in", { name, password }, { "x-forwarded-for": address, cookie });
  async function statusesOf(tries: number, attempt: (index: number) => Promise<{ status: number }>): Promise<number[]> {
    const statuses = [];
    for (let index = 0; index < tries; index += 1) statuses.push((await attempt(index)).status);
    return statuses;
  }

  test("has the same responses and limits for an account that does not exist", async () => {
    const { name } = await newOwner();
    const answersFor = async (account: string) => {
      const answers = [];
      for (let tries = 0; tries < 4; tries += 1) {
        const { status, body, headers } = await attemptOn(limited, account, WRONG, "127.0.0.1");
        const names = [...headers.keys()].filter((header) => header !== "date").toSorted((a, b) => a.localeCompare(b));
        answers.push({ status, code: body.code, detail: body.detail, names });
      }
      return answers;
    };
    const known = await answersFor(name);
    expect(known.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(await answersFor("nobody-of-that-name")).toEqual(known);
    // Not even the right password gets in from where it was guessed.
    const right = await attemptOn(limited, name, PASSWORD, "127.0.0.1");
    expect(right.status).toBe(429);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("counts attempts for an account by address, so that nobody can lock out its owner", async () => {
    const { name } = await newOwner();
    const attempt = (password: string, address: string) => attemptOn(limited, name, password, address);
    expect(await statusesOf(5, () => attempt(WRONG, "198.51.100.1"))).toEqual([401, 401, 401, 429, 429]);
    expect((await attempt(PASSWORD, "203.0.113.1")).status).toBe(200);
  });

  test("makes all but known devices wait a minute while many addresses try one account", async () => {
    const { name } = await newOwner();
    const visitor = makeVisitor(dashboard.url);
    await visitor.post("/api/sign-in", { name, password: PASSWORD });
    const attempt = (password: string, address: string, cookie?: string) =>
      attemptOn(limited, name, password, address, cookie);
    const guesses = await statusesOf(6, (index) => attempt(WRONG, `198.51.100.${index}`));
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
    const stranger = await attempt(PASSWORD, "203.0.113.1");
    expect(stranger.status).toBe(429);
    expect(Number(stranger.headers.get("retry-after"))).toBeLessThanOrEqual(60);

    // The cookie's name has the port of the dashboard that set it.
    const [port, otherPort] = [new URL(dashboard.url).port, new URL(limited).port];
    const cookie = visitor.cookie("device")?.replace(port, otherPort);
    expect((await attempt(PASSWORD, "203.0.113.1", cookie)).status).toBe(200);
    // A device that was stolen has as many guesses as any address, and none of another account.
    expect(await statusesOf(4, () => attempt(WRONG, "203.0.113.1", cookie))).toEqual([401, 401, 401, 429]);
    const other = await newOwner();
    const foreign = () => attemptOn(limited, other.name, WRONG, "203.0.113.2", cookie);
    expect(await statusesOf(4, foreign)).toEqual([401, 401, 401, 429]);
    // A new password makes every device a stranger again.
    await dashboard.cli.json("account", "reset", name);
    expect((await attempt(PASSWORD, "203.0.113.9", cookie)).status).toBe(429);
  });

  test("stores and counts nothing of an attempt that it rejects", async () => {
    const url = await startLimited({ perAddress: 2, perAccount: 3 });
    const attempt = (account: string, address: string) => attemptOn(url, account, WRONG, address);
    expect(await statusesOf(5, (index) => attempt(`name-${index}`, "198.51.100.1"))).toEqual([401, 401, 429, 429, 429]);
    // The address, and of two names each the name and the pair.
    expect(await dashboard.world.database.stored.sign_in_attempts.countDocuments()).toBe(5);
    await statusesOf(3, () => attempt("name-0", "198.51.100.1"));
    expect(await statusesOf(3, (index) => attempt("name-0", `203.0.113.${index}`))).toEqual([401, 401, 429]);
    // The addresses of an IPv6 /64 count as one.
    const inBlock = await statusesOf(3, (index) => attempt(`v6-${index}`, `2001:db8:0:1::${index}`));
    expect([...inBlock, (await attempt("v6", "2001:db8:0:2::1")).status]).toEqual([401, 401, 429, 401]);
  });

  test("is limited for each address, for any accounts and headers, without successful attempts", async () => {
    const { name } = await newOwner();
    const url = await startLimited({ perSource: 2, perAddress: 4, perAccount: 3 }, 0);
    for (let round = 0; round < 3; round += 1)
      expect((await makeVisitor(url).post("/api/sign-in", { name, password: PASSWORD })).status).toBe(200);
    const attempt = (index: number) => attemptOn(url, `account-${index}`, WRONG, `198.51.100.${index}`);
    expect(await statusesOf(6, attempt)).toEqual([401, 401, 401, 401, 429, 429]);
  });

  test("does not count attempts that a busy process did not check", async () => {
    const limit = makeSignInLimit({ ...dashboard.world, rates: unlimited, clock: systemClock, digest });
    const passwords = makePasswords();
    const others: Promise<unknown>[] = [];
    function verify(password: string, hash: string | null) {
      // More than a process judges and lets wait.
      for (let count = 0; count < 50; count += 1) others.push(passwords.verify(WRONG, null).catch(() => {}));
      return passwords.verify(password, hash);
    }
    const verifyPassword = makeVerifyPassword({ limit, passwords: { verify } });
    const guess = { name: "nobody", from: { address: "198.51.100.1" }, password: WRONG, hash: null };
    await expect(verifyPassword(guess)).rejects.toMatchObject({ code: "busy" });
    await Promise.all(others);
    const counters = await dashboard.world.database.stored.sign_in_attempts.find().toArray();
    // Of the source, its address and the account.
    expect(counters.map(({ count }) => count)).toEqual([0, 0, 0]);
  });

  test("works through a reset link while attempts are limited, and the device is known afterwards", async () => {
    const url = await startLimited({ perSource: 2, perAddress: 2 }, 0);
    const { name } = await newOwner();
    const person = makeVisitor(url);
    const attempt = (password: string) => person.post("/api/sign-in", { name, password });
    expect(await statusesOf(3, () => attempt(WRONG))).toEqual([401, 401, 429]);
    const { stdout } = await dashboard.cli.run("account", "reset", name);
    expect(stdout).toContain("also works while sign-in attempts are limited");
    const token = /\/link#(\S+)/.exec(stdout)?.[1] ?? "";
    const used = await person.post("/api/link/use", { token, password: `${PASSWORD} 2` });
    expect([used.status, (await person.get("/api/me")).body.name]).toEqual([200, name]);
    expect((await person.post("/api/sign-out")).status).toBe(200);
    expect((await attempt(`${PASSWORD} 2`)).status).toBe(200);
    expect((await makeVisitor(url).post("/api/sign-in", { name, password: `${PASSWORD} 2` })).status).toBe(429);
  });
});

describe("a stolen session", () => {
  test("cannot guess the password, because attempts are limited, and the owner can change it elsewhere", async () => {
    const { name } = await newOwner();
    const [thief, owner] = [makeVisitor(limited), makeVisitor(limited)];
    for (const visitor of [thief, owner])
      expect((await visitor.post("/api/sign-in", { name, password: PASSWORD })).status).toBe(200);
    const change = { current: WRONG, password: `${PASSWORD} 2` };
    const guesses = [];
    for (let tries = 0; tries < 4; tries += 1) guesses.push((await thief.post("/api/me/password", change)).body.code);
    expect(guesses).toEqual(["invalid_request", "invalid_request", "invalid_request", "rate_limited"]);
    expect((await thief.post("/api/me/password", { ...change, current: PASSWORD })).status).toBe(429);
    expect((await owner.post("/api/me/password", { ...change, current: PASSWORD })).status).toBe(200);
    expect((await thief.get("/api/me")).status).toBe(401);
  });
});
