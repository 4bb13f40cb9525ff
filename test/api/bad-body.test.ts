import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../support/clan-caller.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

const ASTRAL = "😀";
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? utf8(part) : Uint8Array.from(part))));
/** `levels` values in one another, the innermost empty. */
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

const { world, port, clan } = await useApi({ worker: true });

const notJson: [string, string | Uint8Array][] = [
  ["white space", " \r\n\t"],
  ["undefined", "undefined"],
  ["an incomplete object", '{"amount":1'],
  ["a comment", '{"amount":1}//'],
  ["NaN", '{"amount":NaN}'],
  ["a number with a leading zero", '{"amount":01}'],
  ["a number without digits after its point", '{"amount":1.}'],
  ["a hexadecimal number", '{"amount":0x10}'],
  ["a raw NUL in a string", '{"amount":1,"reason":"a\0b"}'],
  ["an invalid escape", String.raw`{"amount":1,"reason":"\x41"}`],
  ["an incomplete Unicode escape", String.raw`{"amount":1,"reason":"\u12"}`],
  ["two byte-order marks", '\uFEFF\uFEFF{"amount":1}'],
  ["an overlong NUL", bytes('{"amount":1,"reason":"', [0xc0, 0x80], '"}')],
  ["a surrogate in UTF-8", bytes('{"amount":1,"reason":"', [0xed, 0xa0, 0x80], '"}')],
  ["an incomplete UTF-8 sequence", bytes('{"amount":1,"reason":"', [0xf0, 0x9f, 0x98], '"}')],
  ["Latin-1", bytes('{"amount":1,"reason":"', [0xe9], '"}')],
  ["UTF-16", new Uint8Array(Buffer.from('{"amount":1}', "utf16le"))],
  ["undeclared gzip", bytes([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])],
];

const notAnObject: [string, string][] = [
  ["null", "null"],
  ["a number", "1"],
  ["a list", "[]"],
  ["9 levels", nested(9)],
  ["100,000 levels", nested(100_000)],
  ["100,000 levels and a long number", `${"[".repeat(100_000)}0.00000000000000000001${"]".repeat(100_000)}`],
  ["40,000 levels of objects", `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`],
];

/** Bodies of an award and the pointers of what is wrong with them. */
const badAwards: [string, string, string[]][] = [
  ["amount an operator object", '{"amount":{"$gt":0}}', ["/amount"]],
  ["amount in extended JSON", '{"amount":{"$numberLong":"5"}}', ["/amount"]],
  ["amount 1e-400", '{"amount":1e-400}', ["/amount"]],
  ["amount 0.000…1, too small for a double", `{"amount":0.${"0".repeat(400)}1}`, ["/amount"]],
  ["amount 0.000…1 of 250,000 digits", `{"amount":0.${"0".repeat(250_000)}1}`, ["/amount"]],
  ["amount 1000…0.5 of 250,000 digits", `{"amount":1${"0".repeat(250_000)}.5}`, ["/amount"]],
  ["amount with an exponent of 250,000 digits", `{"amount":1e-${"9".repeat(250_000)}}`, ["/amount"]],
  ["amount 1.0000000000000000001", '{"amount":1.0000000000000000001}', ["/amount"]],
  ["amount 999999.00000000001", '{"amount":999999.00000000001}', ["/amount"]],
  ["amount 9007199254740993", '{"amount":9007199254740993}', ["/amount"]],
  ["amount 1e400", '{"amount":1e400}', ["/amount"]],
  ["amount 1,000,001", '{"amount":1000001}', ["/amount"]],
  ["amount -1,000,001", '{"amount":-1000001}', ["/amount"]],
  ["a valid amount before an invalid one", '{"amount":1,"amount":"1"}', ["/amount"]],
  ["reason with a reversed surrogate pair", String.raw`{"amount":1,"reason":"\ude00\ud83d"}`, ["/reason"]],
  ["source a string", '{"amount":1,"source":"place"}', ["/source"]],
  [
    "types",
    '{"amount":"x","reason":{"$where":"sleep(1000)"},"source":{"placeId":5,"verified":1}}',
    ["/amount", "/reason", "/source/placeId", "/source/verified"],
  ],
  [
    "null in fields that may be absent",
    '{"amount":1,"reason":null,"source":{"placeId":null,"verified":null}}',
    ["/reason", "/source/placeId", "/source/verified"],
  ],
  [
    "characters that are none",
    String.raw`{"amount":1,"reason":"\ude00","source":{"placeId":"\u0000","matchId":"\ud800"}}`,
    ["/reason", "/source/placeId", "/source/matchId"],
  ],
  [
    "texts that are one character too long",
    JSON.stringify({
      amount: 1,
      reason: ASTRAL.repeat(501),
      source: { placeId: "p".repeat(65), matchId: ASTRAL.repeat(129) },
    }),
    ["/reason", "/source/placeId", "/source/matchId"],
  ],
  ["unknown fields, each of them", '{"amount":1,"b":1,"a":1,"source":{"c":1}}', ["/a", "/b", "/source/c"]],
  [
    "30 unknown fields",
    JSON.stringify({ amount: 1, ...manyFields(30) }),
    Object.keys(manyFields(30)).map((name) => `/${name}`),
  ],
  ["a name that pointers escape", '{"amount":1,"a/b~c":1}', ["/a~1b~0c"]],
  ["a name of 300 characters", JSON.stringify({ amount: 1, ["n".repeat(300)]: 1 }), [`/${"n".repeat(300)}`]],
  ["an empty name", '{"amount":1,"":1}', ["/"]],
  ["a name with a lone surrogate", String.raw`{"amount":1,"\ud800":1}`, ["/\uFFFD"]],
  ["__proto__", '{"amount":1,"__proto__":{"amount":5}}', ["/__proto__"]],
  ["__proto__ in place of a field", '{"__proto__":{"amount":5}}', ["/__proto__", "/amount"]],
  ["__proto__ in source", '{"amount":1,"source":{"__proto__":{"verified":true}}}', ["/source/__proto__"]],
  ["$where", '{"amount":1,"$where":"sleep(1000)"}', ["/$where"]],
  ["an operator instead of a field", '{"$set":{"xp":9}}', ["/$set", "/amount"]],
  ["the member in the body", '{"amount":1,"platformId":"other"}', ["/platformId"]],
  ["another name's case", '{"Amount":1}', ["/Amount", "/amount"]],
];

function manyFields(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, index]));
}

describe("an invalid POST body is rejected with its documented code, changes nothing, and leaves the API available", () => {
  afterEach(() => expectUnharmed(clan));

  for (const path of ["/members/bad/xp", "/xp"]) {
    test.for(notJson)(`${path} returns 400 invalid_json for: %s`, async ([, body]) => {
      expectProblem(await clan.post(path, body), 400, "invalid_json");
    });
    test.for(notAnObject)(`${path} returns 400 invalid_request for: %s`, async ([, body]) => {
      expectProblem(await clan.post(path, body), 400, "invalid_request");
    });
  }

  test.for(badAwards)(
    "an award returns 400 with the JSON pointer of each fault for: %s",
    async ([, body, pointers]) => {
      const problem = expectProblem(await clan.post("/members/bad/xp", body), 400, "invalid_request");
      expect(problem.errors?.map((fault) => fault.pointer).toSorted()).toStrictEqual(pointers.toSorted());
      expect(problem.errors?.every((fault) => fault.detail.length > 3)).toBe(true);
    },
  );

  const badShells: [string, string][] = [
    ["no awards", "{}"],
    ["awards an object", '{"awards":{"0":{"platformId":"bad","amount":1}}}'],
    ["awards by way of __proto__", '{"__proto__":{"awards":[{"platformId":"bad","amount":1}]}}'],
  ];
  test.for(badShells)("a batch returns 400 with the pointer /awards for: %s", async ([, body]) => {
    const problem = expectProblem(await clan.post("/xp", body), 400, "invalid_request");
    expect(problem.errors).toStrictEqual([{ pointer: "/awards", detail: expect.any(String) }]);
  });

  test("a batch nested 9 levels deep is rejected, even inside unknown fields, which are otherwise ignored", async () => {
    const awards = `[{"platformId":"bad","amount":1,"extra":${nested(6)}}]`;
    expectProblem(await clan.post("/xp", `{"awards":${awards}}`), 400, "invalid_request");
  });

  test("a body with very many faults returns a bounded list of them", async () => {
    const reply = await clan.post("/members/bad/xp", JSON.stringify(manyFields(12_000)));
    const problem = expectProblem(reply, 400, "invalid_request");
    expect(JSON.stringify(problem).length).toBeLessThan(64 * 1024);
  });
});

describe("an unusual but valid body is accepted", () => {
  let rich: ClanCaller;
  beforeAll(async () => {
    rich = await makeClanCaller(world, port);
  });

  const amounts: [string, string][] = [
    ["0", "0"],
    ["-0", "0"],
    ["25.0", "25"],
    ["1e3", "1000"],
    ["1E+3", "1000"],
    ["1.5e1", "15"],
    ["120e-1", "12"],
    ["100000000000000000000e-20", "1"],
    ["1.00000000000000000000", "1"],
    ["0e-400", "0"],
    ["0.0000000000000000000000", "0"],
    [`7.${"0".repeat(200_000)}`, "7"],
    ["1000000", "1000000"],
  ];
  test("with each notation of an integer, and with -1,000,000, which is the lower bound", async () => {
    for (const [index, [written, meant]] of amounts.entries()) {
      const reply = await rich.post(`/members/a${index}/xp`, `{"amount":${written}}`);
      expect([written, expectResponse("apply-award", reply).xp]).toStrictEqual([written, meant]);
    }
    await rich.award("low", { amount: 1_000_000 });
    expect(expectResponse("apply-award", await rich.award("low", { amount: -1_000_000 })).xp).toBe("0");
  });

  const texts: [string, object | string][] = [
    ["500 astral characters as reason", { amount: 1, reason: ASTRAL.repeat(500) }],
    ["an empty reason", { amount: 1, reason: "" }],
    ["a reason of markup and quotes", { amount: 1, reason: `<b>"$where'\\\n\u2028${String.fromCodePoint(0x1)}` }],
    [
      "the longest source",
      { amount: 1, source: { placeId: ASTRAL.repeat(64), matchId: ASTRAL.repeat(128), verified: false } },
    ],
    ["an empty source", { amount: 1, source: {} }],
    ["a byte-order mark", '\uFEFF{"amount":1}'],
    ["white space around all tokens", ' \r\n\t{ "amount" : 1 } \n'],
    ["escaped names", String.raw`{"\u0061mount":1}`],
    ["an escaped surrogate pair", String.raw`{"amount":1,"reason":"\ud83d\ude00"}`],
    ["duplicate names, of which the last is used", '{"amount":"x","amount":1}'],
    ["duplicate names in a nested object", '{"amount":1,"source":{"verified":5},"source":{"verified":true}}'],
  ];
  test.for(texts)("with %s", async ([, body]) => {
    const platformId = `t${crypto.randomUUID()}`;
    const reply = await rich.post(`/members/${platformId}/xp`, body);
    expect(expectResponse("apply-award", reply).xp).toBe("1");
    if (typeof body === "string") return;
    const { entries } = expectResponse("read-ledger", await rich.get(`/members/${platformId}/ledger`));
    const { reason, source } = body as { reason?: string; source?: object };
    const stored = source && Object.keys(source).length > 0 ? { source } : {};
    expect(entries[0]).toMatchObject({ ...(reason === undefined ? {} : { reason }), ...stored });
  });

  test("with a batch nested exactly 8 levels deep", async () => {
    const awards = `[{"platformId":"deep","amount":1,"extra":${nested(5)}}]`;
    expect(expectResponse("submit-batch", await rich.post("/xp", `{"awards":${awards}}`, PATIENT)).applied).toBe(1);
  });
});
