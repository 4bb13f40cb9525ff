// Single requests of callers over connections that may break: the answer, or that there was none.
import { z } from "zod";
import type { SentAward } from "../support/oracle.ts";

/** Every request has its answer by then, however silent the servers are: an award's deadline is 10 s. */
export const ANSWER_MS_MAX = 30_000;

const Answer = z.object({ xp: z.string().optional(), code: z.string().optional(), batchId: z.string().optional() });

/** Where awards go. Asked before each sending, since a service may come back elsewhere; several are used in turn. */
export type Target = {
  baseUrls: () => readonly string[];
  key: string;
  clanId: string;
  /** How long a caller waits for an answer. */
  answerMsMax?: number;
  /** Called when a request is sent to this URL; what it returns, when the request has ended. */
  began?: (baseUrl: string) => () => void;
};

/** Sends an award once and notes the answer. Its status; 0: the connection broke. */
export async function sendOnce(target: Target, award: SentAward, turn = 0, hangUp?: AbortSignal): Promise<number> {
  const path = `/v0/clans/${target.clanId}/members/${award.platformId}/xp`;
  const { amount, source } = award;
  const reply = await post(target, turn, path, { amount, ...(source ? { source } : {}) }, award.key, { hangUp });
  award.answers.push({
    status: reply.status,
    xp: reply.body.xp ?? null,
    replayed: reply.replayed,
    code: reply.body.code ?? null,
  });
  return reply.status;
}

/** Nothing is known of the request, or its caller is to send it again; every other answer is definite. */
export function isOpen(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}

export type Reply = { status: number; replayed: boolean; body: z.infer<typeof Answer> & { status?: unknown } };

export function post(
  target: Target,
  turn: number,
  path: string,
  body: unknown,
  key: string,
  { prefer, hangUp }: { prefer?: string; hangUp?: AbortSignal | undefined },
): Promise<Reply> {
  const headers = { "content-type": "application/json", "idempotency-key": key, ...(prefer ? { prefer } : {}) };
  return sendRequest(target, turn, path, {
    method: "POST",
    body: JSON.stringify(body),
    headers,
    ...(hangUp ? { signal: hangUp } : {}),
  });
}

/** Status 0: the connection broke. */
export async function sendRequest(
  target: Target,
  turn: number,
  path: string,
  request: { method?: string; body?: string; headers: Record<string, string>; signal?: AbortSignal },
): Promise<Reply> {
  const urls = target.baseUrls();
  const url = urls[turn % urls.length] ?? "";
  const ended = target.began?.(url);
  try {
    const response = await fetch(`${url}${path}`, {
      signal: AbortSignal.timeout(target.answerMsMax ?? ANSWER_MS_MAX),
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${target.key}` },
    });
    const replayed = response.headers.get("idempotency-replayed") === "true";
    return { status: response.status, replayed, body: Answer.loose().parse(await response.json()) };
  } catch {
    return { status: 0, replayed: false, body: {} };
  } finally {
    ended?.();
  }
}
