// What one person may use of the dashboard at the same time: in this process, without servers.
import { expect, test } from "vitest";
import { makeShares } from "../../../apps/dashboard/http/shares.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const BOUNDS = { requests: 2, waiting: 2, exports: 2, allExports: 3 };

test("requests beyond a person's share wait in their order, and nobody else waits for them", async () => {
  const shares = makeShares(BOUNDS);
  const entered: string[] = [];
  const enter = async (name: string, request: string) => {
    const leave = await shares.enter(name);
    entered.push(request);
    return leave;
  };
  const requests = ["a1", "a2", "a3", "a4"].map((request) => enter("ada", request));
  await turn();
  expect(entered).toStrictEqual(["a1", "a2"]);
  await expect(shares.enter("ada")).rejects.toMatchObject({ code: "busy" });
  await enter("bob", "b1");
  for (const request of requests) {
    (await request)();
    await turn();
  }
  expect(entered).toStrictEqual(["a1", "a2", "b1", "a3", "a4"]);
  // Each left once: the whole share is free again.
  await Promise.all([enter("ada", "a5"), enter("ada", "a6")]);
  expect(entered.slice(-2)).toStrictEqual(["a5", "a6"]);
});

test("exports beyond a person's share, and beyond that of all, are rejected until one ends", async () => {
  const shares = makeShares(BOUNDS);
  const leave = await shares.enterExport("ada");
  await shares.enterExport("ada");
  await expect(shares.enterExport("ada")).rejects.toThrow(/Two of your exports/);
  await shares.enterExport("bob");
  await expect(shares.enterExport("cyd")).rejects.toThrow(/Too many exports/);
  leave();
  await shares.enterExport("cyd");
});

test("exports are read one part at a time, in turns, and one that nobody receives ends", async () => {
  const shares = makeShares();
  const [reading, read, ended]: [string[], string[], string[]] = [[], [], []];
  async function* parts(name: string, count: number) {
    try {
      for (let part = 1; part <= count; part += 1) {
        reading.push(name);
        expect(reading).toHaveLength(1);
        await turn();
        reading.pop();
        yield `${name}${part}`;
      }
    } finally {
      ended.push(name);
    }
  }
  async function receive(name: string, { until }: { until: number }): Promise<void> {
    let received = 0;
    for await (const part of shares.paced(parts(name, 3))) {
      read.push(part);
      received += 1;
      if (received === until) return;
    }
  }
  await Promise.all([receive("a", { until: 3 }), receive("b", { until: 1 }), receive("c", { until: 9 })]);
  expect(read).toStrictEqual(["a1", "b1", "c1", "a2", "c2", "a3", "c3"]);
  expect(ended.toSorted()).toStrictEqual(["a", "b", "c"]);
});
