// Waits until a process reports on its ops port that it is ready; `pid` returns its current process id.

import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const READY_TIMEOUT_MS = 90_000; // creating indexes on a large data folder takes long
const REPORT_EVERY_MS = 10_000;
const POLL_MS = 50;
const ANSWER_TIMEOUT_MS = 3_000;

export async function untilReady(
  name: string,
  opsUrl: string,
  pid: () => number | undefined,
  log: (line: string) => void,
) {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  let reportAt = performance.now() + REPORT_EVERY_MS;
  for (;;) {
    const answer = await readyz(opsUrl);
    if (answer.status !== undefined && answer.pid !== String(pid()))
      throw new Error(
        `Another program responds at ${opsUrl}: it has taken the port of ${name} meanwhile. Choose other ports`,
      );
    if (answer.status === 200) return;
    if (performance.now() > deadline) {
      throw new Error(
        `${name} did not get ready within ${READY_TIMEOUT_MS / 1000} s; its last response: ${answer.text}`,
      );
    }
    if (performance.now() > reportAt) {
      log(`${name} is not ready yet: ${answer.text.trim()}`);
      reportAt += REPORT_EVERY_MS;
    }
    await sleep(POLL_MS);
  }
}

function readyz(opsUrl: string): Promise<{ status: number | undefined; pid?: unknown; text: string }> {
  return new Promise((resolve) => {
    const request = get(`${opsUrl}/readyz`, { agent: false, timeout: ANSWER_TIMEOUT_MS }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => (text += part));
      response.on("close", () => resolve({ status: response.statusCode, pid: response.headers["clanxp-pid"], text }));
    });
    request.once("timeout", () => request.destroy(new Error("no answer")));
    request.once("error", (error) => resolve({ status: undefined, text: error.message }));
  });
}
