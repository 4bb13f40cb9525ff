import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem } from "./support/awards-api.ts";
import { startGameServer } from "./support/game-server.ts";
import { startGame } from "./support/game.ts";

const MODULE = `ClanXP = require(game:GetService("ServerScriptService").ClanXP)`;
const key = "cxp_0123456789ab_s3cr3t-t3xt.with%magic(chars)";

/** Every text that a script finds when it walks through all tables it can reach from these. */
const WALK = `
  local function walk(value, seen, texts)
    table.insert(texts, tostring(value))
    if type(value) ~= "table" or seen[value] then return texts end
    seen[value] = true
    walk(getmetatable(value), seen, texts)
    for name, item in pairs(value) do
      walk(name, seen, texts)
      walk(item, seen, texts)
    end
    return texts
  end`;

describe("the API key in the Roblox client", () => {
  test("is the secret clanxp_key unless another one is given, and is sent only in the Authorization header", async () => {
    const game = await startGame({ respond: makeAwardsApi().respond, secret: key });
    await game.run("clan:AwardAsync(1, 1)");
    const [sent] = game.requests;
    expect(sent?.headers["Authorization"]).toBe(`Bearer ${key}`);
    expect(JSON.stringify({ ...sent, headers: { ...sent?.headers, Authorization: "" } })).not.toContain(key);
  });

  test.each([
    ["a Secret", "", key],
    ["a string", `ApiKey = "${key}"`, null],
  ])("is in no error, warning or table, given as %s", async (_kind, config, secret) => {
    let count = 0;
    const game = await startGame({
      respond({ headers }) {
        count += 1;
        expect(headers["Authorization"]).toBe(`Bearer ${key}`);
        // Roblox knows the text of a string alone: it never writes that of a Secret out.
        const shown = secret === null ? key : "Secret";
        if (count === 1) return { raise: `Header "Authorization" has value "Bearer ${shown}" that is not allowed` };
        return problem(401, "key_invalid");
      },
      config: `${config}${config ? "," : ""} FlushSeconds = 0, DeadlineSeconds = 0.3`,
      secret,
      listen: false,
    });
    const texts = await game.run(`${WALK}
      local seen, texts = {}, {}
      walk(clan, seen, texts)
      walk(clan:Award(1, 1), seen, texts)
      walk({ clan:AwardAsync(1, 1) }, seen, texts)
      walk({ clan:AwardAsync(1, 1) }, seen, texts)
      walk({ clan:GetMemberAsync(1) }, seen, texts)
      walk({ pcall(ClanXP.new, { BaseUrl = "", ClanId = "c", ${config} }) }, seen, texts)
      return texts`);
    expect(texts.length).toBeGreaterThan(100);
    expect(game.warnings.length).toBeGreaterThan(0);
    expect(texts.join("\n")).toContain("that is not allowed");
    expect([...texts, ...game.warnings].join("\n")).not.toContain("s3cr3t");
  });

  test("is in no error even if a response repeats the headers, and a short key for tests changes no response", async () => {
    const echo = (text: string) => problem(401, "key_invalid", { detail: `Authorization: Bearer ${text}` });
    const long = await startGame({
      respond: () => echo(key),
      config: `ApiKey = "${key}", FlushSeconds = 0`,
      secret: null,
    });
    const short = await startGame({
      respond: () => echo("no"),
      config: `ApiKey = "key", FlushSeconds = 0`,
      secret: null,
    });
    const call = "return { select(2, clan:AwardAsync(1, 1)), select(2, clan:GetMemberAsync(1)) }";
    const problems = await long.run(call);
    expect(problems).toMatchObject([{ Code: "key_invalid" }, { Code: "key_invalid" }]);
    expect(JSON.stringify(problems)).not.toContain("s3cr3t");
    expect(await short.run(call)).toMatchObject([{ Code: "key_invalid" }, { Code: "key_invalid" }]);
  });

  test.each([
    [true, "Studio"],
    [false, "secrets store"],
  ])("is required, and the error says where to add it (in Studio: %s)", async (studio, place) => {
    const server = await startGameServer({ respond: makeAwardsApi().respond, secret: null, studio });
    const error = await server.run(`${MODULE}
      local _, problem = pcall(ClanXP.new, { BaseUrl = "https://x.example", ClanId = "c", Mock = false })
      return problem`);
    expect(error).toMatchObject({ Code: "invalid_argument" });
    expect(error.Detail).toContain("clanxp_key");
    expect(error.Detail).toContain(place);
  });

  test.each([
    [`nil`, "config"],
    [`{ ClanId = "c" }`, "BaseUrl"],
    [`{ BaseUrl = "xp.example.com", ClanId = "c" }`, 'BaseUrl must be an http or https URL without query, not "xp'],
    [`{ BaseUrl = "https://x.example?a=1", ClanId = "c" }`, "BaseUrl"],
    [`{ BaseUrl = "cxp_k_s3cr3t", ClanId = "c" }`, "BaseUrl"],
    [`{ BaseUrl = "a:s3cr3t@x.example", ClanId = "c" }`, "BaseUrl"],
    [`{ BaseUrl = "https://x.example" }`, "ClanId"],
    [`{ BaseUrl = "https://x.example", ClanId = "a/b" }`, "ClanId"],
    [`{ Mock = true, BaseUrl = "x.example" }`, "BaseUrl"],
    [`{ Mock = true, ClanId = "a/b" }`, "ClanId"],
    [`{ BaseUrl = "https://x.example", ClanId = "c", ApiKey = 5 }`, "ApiKey"],
    [`{ BaseUrl = "https://x.example", ClanId = "c", ApiKey = "" }`, "ApiKey"],
    [`{ BaseUrl = "https://x.example", ClanId = "c", FlushSeconds = -1 }`, "FlushSeconds"],
    [`{ BaseUrl = "https://x.example", ClanId = "c", RequestsPerMinute = 0 }`, "RequestsPerMinute"],
    [`{ BaseUrl = "https://x.example", ClanId = "c", MaxPending = "9" }`, "MaxPending"],
    [`{ BaseUrl = "https://x.example", ClanId = "c", DrainSecond = 9 }`, "DrainSecond"],
  ])("is checked like every other setting of new: %s", async (config, named) => {
    const server = await startGameServer({ respond: makeAwardsApi().respond });
    const error = await server.run(`${MODULE}
      local _, problem = pcall(ClanXP.new, ${config})
      return problem`);
    expect(error).toMatchObject({ Code: "invalid_argument" });
    expect(error.Detail).toContain(named);
    expect(error.Detail).not.toContain("s3cr3t");
  });
});
