// Calls of several awards, as a game server's queue sends them: what each award was answered, whatever became of the
// call.
import { z } from "zod";
import { problems } from "#contract/problem.ts";
import { errorCodes } from "#kernel/error-code.ts";
import type { Chance } from "../support/chance.ts";
import type { SeenAnswer, SentAward } from "../support/oracle.ts";
import { isOpen, sendOnce, sendRequest, type Target } from "./send.ts";

const AWARDS_PER_CALL = 12;
const BROKEN: SeenAnswer = { status: 0, xp: null, replayed: false, code: null };

const Result = z.object({
  status: z.string(),
  xp: z.string().nullable().default(null),
  error: z.object({ code: z.enum(errorCodes) }).optional(),
});
const Results = z.object({ results: z.array(Result) });

/** More awards than members, so that some are of one member. */
export function newAwards(
  chance: Chance,
  { members, name, source }: { members: number; name: string; source?: { matchId: string } },
): SentAward[] {
  return Array.from({ length: AWARDS_PER_CALL }, (_, index) => ({
    platformId: `m${chance.int(1, members)}`,
    key: `${name}-${index}`,
    amount: chance.int(1, 50),
    ...(source ? { source } : {}),
    answers: [],
  }));
}

/**
 * Sends the awards in one call, now and then one of them twice in it, or one of them alone at the same time and to
 * another process; notes every answer. Returns those that are to be sent again.
 */
export async function sendCall(
  target: Target,
  awards: readonly SentAward[],
  turn: number,
  chance: Chance,
): Promise<SentAward[]> {
  const twice = chance.hits(0.2) ? [chance.pick(awards)] : [];
  const alone = chance.hits(0.2) ? [chance.pick(awards)] : [];
  const sent = [...awards, ...twice];
  const body = {
    awards: sent.map(({ platformId, amount, key, source }) => ({
      platformId,
      amount,
      idempotencyKey: key,
      ...(source ? { source } : {}),
    })),
  };
  const [reply] = await Promise.all([
    sendRequest(target, turn, `/v0/clans/${target.clanId}/awards`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
    ...alone.map((award) => sendOnce(target, award, turn + 1)),
  ]);
  const results = reply.status === 200 ? Results.parse(reply.body).results : null;
  for (const [index, award] of sent.entries()) {
    const result = results?.[index];
    award.answers.push(result ? answerOf(result) : answerToAll(reply, index));
  }
  return awards.filter(({ answers }) => answers.every(({ status }) => isOpen(status)));
}

function answerOf({ status, xp, error }: z.infer<typeof Result>): SeenAnswer {
  if (error) return { status: problems[error.code].status, xp: null, replayed: false, code: error.code };
  return { status: 200, xp, replayed: status === "replayed", code: null };
}

/** A call of which every award failed has the code of the first: of the others it says nothing. */
function answerToAll(
  { status, body }: { status: number; body: { code?: string | undefined } },
  index: number,
): SeenAnswer {
  if (status === 0) return BROKEN;
  return {
    status,
    xp: null,
    replayed: false,
    code: status === 503 && index > 0 ? "outcome_unknown" : (body.code ?? null),
  };
}
