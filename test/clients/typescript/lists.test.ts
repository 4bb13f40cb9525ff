import { expect, test } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import { nowhere } from "./nowhere.ts";

/** A client of a service that gives these answers one after the other, and the addresses that it asked. */
function clientOf(...answers: object[]) {
  const requested: string[] = [];
  const fetch = async (url: unknown): Promise<Response> => {
    requested.push(String(url).replace("http://127.0.0.1:1/v0/clans/c", ""));
    return new Response(JSON.stringify(answers.shift()));
  };
  return { clan: new ClanXp({ ...nowhere, fetch }), requested };
}

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

test("a list is requested with exactly the given options, and without a query if there are none", async () => {
  const member = { platformId: "p" };
  const { clan, requested } = clientOf(
    { members: [member], nextCursor: null },
    { members: [member], nextCursor: "n" },
    { members: [member], nextCursor: null },
    { entries: [], nextCursor: null },
  );
  expect(await all(clan.members())).toStrictEqual([member]);
  expect(await all(clan.members({ sort: "platformId", pageSize: 1 }))).toStrictEqual([member, member]);
  expect(await all(clan.ledger("p"))).toStrictEqual([]);
  expect(requested).toStrictEqual([
    "/members",
    "/members?sort=platformId&limit=1",
    "/members?sort=platformId&limit=1&cursor=n",
    "/members/p/ledger",
  ]);
});

test("a response without the list, or with a cursor that is no text, is reported as unexpected_answer", async () => {
  const { clan } = clientOf({ ok: true }, { entries: "none" }, { members: [], nextCursor: 5 });
  const unexpected = { name: "ClanXpError", code: "unexpected_answer", status: 200, retryable: true, attempts: 1 };
  await expect(all(clan.members({ retries: 0 }))).rejects.toMatchObject(unexpected);
  await expect(all(clan.ledger("p", { retries: 0 }))).rejects.toMatchObject(unexpected);
  await expect(all(clan.members({ retries: 0 }))).rejects.toMatchObject(unexpected);
});
