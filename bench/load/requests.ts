// The requests of a plan: the same bytes for every subject, prepared so that sending one costs a concatenation.
import { randomBytes } from "node:crypto";
import { makePickMember, makeRandom } from "./pick-member.ts";
import { AMOUNT, memberOf, type LoadPlan } from "./plan.ts";

/** The same choices in every measurement. */
const SEED = 20_260_101;

/** Answers the next request. Every second award carries its own key. */
export function makeRequests(plan: LoadPlan): () => string {
  if (plan.path !== undefined)
    return () => `GET ${plan.path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\n\r\n`;
  const random = makeRandom(SEED);
  const pickMember = makePickMember(plan.spread, plan.membersTotal, random);
  // Unlike the keys of any earlier measurement: a replay would be no award.
  const run = randomBytes(6).toString("hex");
  let sent = 0;
  const nextName = (): string => `${run}-${(sent += 1)}`;
  const nextKey = (): string => `idempotency-key: ${nextName()}\r\n`;
  if (plan.isCall) return calls(plan, pickMember, random, nextName);
  return plan.awardsPerRequest === 1 ? singles(plan, pickMember, nextKey) : batches(plan, pickMember, random, nextKey);
}

function singles(plan: LoadPlan, pickMember: () => number, nextKey: () => string): () => string {
  const body = JSON.stringify({ amount: AMOUNT });
  const clans = plan.clans.map(({ clanId, secret }) => {
    const [before = "", after = ""] = head(`/v0/clans/${clanId}/members/ /xp`, secret).split(" /xp");
    return { before, after: `/xp${after}` };
  });
  const rest = `content-length: ${body.length}\r\n\r\n${body}`;
  let isKeyed = false;
  return () => {
    isKeyed = !isKeyed;
    const { clan, platformId } = memberOf(pickMember(), clans.length);
    return `${clans[clan]?.before}${platformId}${clans[clan]?.after}${isKeyed ? nextKey() : ""}${rest}`;
  };
}

function batches(plan: LoadPlan, pickMember: () => number, random: () => number, nextKey: () => string): () => string {
  const heads = plan.clans.map(({ clanId, secret }) => head(`/v0/clans/${clanId}/xp`, secret));
  let isKeyed = false;
  return () => {
    isKeyed = !isKeyed;
    const clan = Math.floor(random() * plan.clans.length);
    const awards = Array.from({ length: plan.awardsPerRequest }, () => `${awardOf(clan, plan, pickMember)}}`);
    const body = `{"awards":[${awards.join(",")}]}`;
    return `${heads[clan]}${isKeyed ? nextKey() : ""}content-length: ${body.length}\r\n\r\n${body}`;
  };
}

function calls(plan: LoadPlan, pickMember: () => number, random: () => number, nextName: () => string): () => string {
  const heads = plan.clans.map(({ clanId, secret }) => head(`/v0/clans/${clanId}/awards`, secret));
  return () => {
    const clan = Math.floor(random() * plan.clans.length);
    const awards = Array.from({ length: plan.awardsPerRequest }, (_, index) => {
      const key = index % 2 === 0 ? `,"idempotencyKey":"${nextName()}"` : "";
      return `${awardOf(clan, plan, pickMember)}${key}}`;
    });
    const body = `{"awards":[${awards.join(",")}]}`;
    return `${heads[clan]}content-length: ${body.length}\r\n\r\n${body}`;
  };
}

/** Without its last brace. Of the clan that the request is for: the member with the same number there. */
function awardOf(clan: number, plan: LoadPlan, pickMember: () => number): string {
  const index = pickMember();
  const { platformId } = memberOf(index - (index % plan.clans.length) + clan, plan.clans.length);
  return `{"platformId":"${platformId}","amount":${AMOUNT}`;
}

function head(path: string, secret: string): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: Bearer ${secret}`,
    "content-type: application/json",
  ];
  return `${lines.join("\r\n")}\r\n`;
}
