// The load generator: a separate process, so that its CPU time is measured separately. Receives plans over IPC, one at
// a time, and answers each.
import { openConnection, type Connection } from "./connection.ts";
import { STOP, type LoadMessage, type LoadPlan } from "./plan.ts";
import { startRecorder, type Recorder } from "./recorder.ts";
import { makeRandom } from "./pick-member.ts";
import { makeRequests } from "./requests.ts";

/** A caller: free, or waiting for the answer to a request that was due at that time. */
type Caller = { connection: Connection; dueMs: number };

const sendMessage = (message: LoadMessage): void => void process.send?.(message);
let stop = (): void => {};
process.on("message", (message: LoadPlan | typeof STOP) => (message === STOP ? stop() : void run(message)));
sendMessage({ kind: "ready" });

async function run(plan: LoadPlan): Promise<void> {
  const nextRequest = makeRequests(plan);
  const send = (caller: Caller, dueMs: number): void => {
    caller.dueMs = dueMs;
    caller.connection.send(nextRequest());
  };
  let onFree: (caller: Caller) => void = () => {};
  let recorder: Recorder | null = null;
  const callers = await openCallers(plan, (caller, status) => {
    if (status === 200) recorder?.answered(plan.awardsPerRequest, caller.dueMs);
    else recorder?.failed(`status ${status}`);
    onFree(caller);
  });
  recorder = startRecorder(plan, sendMessage);
  ({ stop } = recorder);
  const { failed, over } = recorder;
  await new Promise<void>((resolve) => {
    const finish = (): void => resolve();
    for (const { lost } of callers) void lost.then((why) => (failed(why), finish()));
    const loop =
      plan.perSecond === null ? closedLoop(send, over, finish) : openLoop(plan.perSecond, send, over, finish);
    onFree = loop(callers.map(({ caller }) => caller));
  });
  for (const { caller } of callers) caller.connection.close();
  await recorder.ended;
  sendMessage({ kind: "result", result: recorder.result() });
}

type Send = (caller: Caller, dueMs: number) => void;
type Loop = (callers: Caller[]) => (free: Caller) => void;

/** Each connection sends its next request after an answer. Ends when the last one is answered. */
function closedLoop(send: Send, over: () => boolean, finish: () => void): Loop {
  return (callers) => {
    let underWay = callers.length;
    for (const caller of callers) send(caller, performance.now());
    return (free) => {
      if (!over()) return send(free, performance.now());
      // Left open and idle it could be closed from the other side, which would look like a fault.
      free.connection.close();
      underWay -= 1;
      if (underWay === 0) finish();
    };
  };
}

/**
 * Requests fall due at random, independent of each other, as from many players; one that finds no free caller waits,
 * and that counts.
 */
function openLoop(perSecond: number, send: Send, over: () => boolean, finish: () => void): Loop {
  const random = makeRandom(1);
  const pauseMs = (): number => (-Math.log(1 - random()) * 1_000) / perSecond;
  return (callers) => {
    const free = [...callers];
    const late: number[] = [];
    let dueMs = performance.now() + pauseMs();
    const ticking = setInterval(() => {
      const nowMs = performance.now();
      for (; dueMs <= nowMs && !over(); dueMs += pauseMs()) late.push(dueMs);
      while (late.length > 0 && free.length > 0) {
        // In turn: the API ends a connection on which no request arrives for 8 s.
        const caller = free.shift();
        if (caller) send(caller, late.shift() ?? nowMs);
      }
      if (over() && late.length === 0 && free.length === callers.length) {
        clearInterval(ticking);
        finish();
      }
    }, 1);
    return (caller) => {
      const waiting = late.shift();
      if (waiting === undefined) free.push(caller);
      else send(caller, waiting);
    };
  };
}

/** Resolves when all are connected. */
function openCallers(
  plan: LoadPlan,
  onAnswer: (caller: Caller, status: number) => void,
): Promise<{ caller: Caller; lost: Promise<string> }[]> {
  const opening = Array.from({ length: plan.callers }, () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: lost, resolve: lose } = Promise.withResolvers<string>();
    const caller: Caller = {
      dueMs: 0,
      connection: openConnection(plan.port, {
        open,
        answer: (status) => onAnswer(caller, status),
        lost: (why) => (lose(why), open()),
      }),
    };
    return opened.then(() => ({ caller, lost }));
  });
  return Promise.all(opening);
}
