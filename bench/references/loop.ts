// What the references without HTTP have around what they are: they make their own load, by the plans that the load
// generator takes too.
import { startRecorder } from "../load/recorder.ts";
import { makePickMember, makeRandom } from "../load/pick-member.ts";
import { AMOUNT, memberOf, type LoadMessage, type LoadPlan } from "../load/plan.ts";

export type LoopAward = { memberId: string; amount: number };

const send = (message: LoadMessage): void => void process.send?.(message);

/**
 * Applies awards, as many at a time as the plan says, in as many callers; each asks again as soon as it is answered.
 */
export function serveLoop(apply: (awards: LoopAward[]) => Promise<unknown>): void {
  process.on("message", (plan: LoadPlan) => void run(plan, apply));
  send({ kind: "ready" });
}

async function run(plan: LoadPlan, apply: (awards: LoopAward[]) => Promise<unknown>): Promise<void> {
  const pickMember = makePickMember(plan.spread, plan.membersTotal, makeRandom(1));
  const nextAward = (): LoopAward => {
    const { clan, platformId } = memberOf(pickMember(), plan.clans.length);
    return { memberId: `${plan.clans[clan]?.clanId}/${platformId}`, amount: AMOUNT };
  };
  const recorder = startRecorder(plan, send);
  async function call(): Promise<void> {
    while (!recorder.over()) {
      const sentMs = performance.now();
      await apply(Array.from({ length: plan.awardsPerRequest }, nextAward));
      recorder.answered(plan.awardsPerRequest, sentMs);
    }
  }
  await Promise.all(
    Array.from({ length: plan.callers }, () => call().catch((error: unknown) => recorder.failed(String(error)))),
  );
  await recorder.ended;
  send({ kind: "result", result: recorder.result() });
}
