// The receivers of docs/how-to/receive-webhooks.md, as their readers run them.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import type { ClanEvent } from "#domain/event.ts";
import { makeSendOutbound } from "#delivery/couriers/send-outbound.ts";
import { makeWebhookCourier } from "#delivery/couriers/webhook-courier.ts";
import { systemClock } from "#process/clock.ts";
import { root } from "../../scripts/paths.js";
import { blocksOf, readPage } from "../support/docs-page.ts";
import { rankChange, sampleDestination, sampleEvent, sampleEvents } from "../support/sample-events.ts";

const programs = blocksOf(readPage("docs/how-to/receive-webhooks.md"));
const receivers = {
  js: (program: string) => [process.execPath, "--input-type=module", "-e", program],
  python: (program: string) => ["python3", "-c", program],
};
const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

describe.each(["js", "python"] as const)("the receiver in %s", (language) => {
  const [command = "", ...args] = receivers[language](
    programs.find((block) => block.language === language)?.text ?? "",
  );
  const isInstalled = spawnSync(command, ["--version"]).status === 0;

  test.skipIf(!isInstalled)(
    "prints each rank-up once, and rejects what is not signed or old",
    async ({ onTestFinished }) => {
      const [secret, old] = [newSecret(), newSecret()];
      const receiver = spawn(command, args, {
        cwd: root,
        env: { PATH: process.env["PATH"], PORT: "0", CLANXP_WEBHOOK_SECRET: secret },
        stdio: ["ignore", "pipe", "ignore"],
      });
      onTestFinished(async () => {
        receiver.kill("SIGKILL");
        await once(receiver, "close");
      });
      const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
      const nextLine = async (): Promise<string> => String((await lines.next()).value);
      const port = /\d+$/.exec(await nextLine())?.[0];
      const url = `http://127.0.0.1:${port}/clan-events`;

      const destination = sampleDestination("webhook");
      const outbound = makeSendOutbound({ allowPrivate: ["127.0.0.0/8"] });
      const facts = { send: outbound, version: "1", timeoutMs: 20_000 };
      const courierAt = (now: () => Date) => makeWebhookCourier({ ...facts, clock: { ...systemClock, now } });
      const send = async (event: ClanEvent, secrets: readonly string[], now = () => new Date()) => {
        const signing = secrets.map((one) => ({ secret: one, endsAt: null }));
        return (await courierAt(now).send(destination, { kind: "webhook", url, signing }, [event])).status;
      };
      const risen = (name: string, n: number) =>
        sampleEvent({ type: "member.rank_changed", data: { ...rankChange, name } }, n);

      for (const event of sampleEvents) expect(await send(event, [secret])).toBe(204);
      expect(await nextLine()).toBe("Builderman is now Veteran");
      expect(await send(risen("Builderman", 1), [secret])).toBe(204);
      expect(await send(risen("Zoë 🏆", 101), [newSecret(), secret])).toBe(204);
      expect(await nextLine()).toBe("Zoë 🏆 is now Veteran");

      expect(await send(risen("Forged", 102), [old])).toBe(400);
      for (const minutes of [-10, 10])
        expect(await send(risen("Old", 103), [secret], () => new Date(Date.now() + minutes * 60_000))).toBe(400);
      expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
      const signing = [{ secret, endsAt: null }];
      const tested = await courierAt(() => new Date()).test(destination, { kind: "webhook", url, signing });
      expect(tested).toMatchObject({ status: 204 });
      expect(await send(risen("Last", 104), [secret])).toBe(204);
      expect(await nextLine()).toBe("Last is now Veteran");
    },
  );
});
