// Reads of boards and of the standings of their periods.
import type { Body, Config } from "./attempt.ts";
import { call } from "./call.ts";
import { check, checkId, checkInteger, checkOptions, checkPlatformId, checkText } from "./check.ts";
import { standingsOptions } from "./option-names.ts";
import { including, nullIfMissing } from "./read-members.ts";
import { PAGE_SIZE_MAX } from "./read-pages.ts";
import type { CallOptions, StandingsOptions } from "./types.ts";
import type { Board, StandingPage } from "./wire.ts";
import { withQuery } from "./with-query.ts";

export async function readBoards(config: Config, options: CallOptions): Promise<Board[]> {
  checkOptions(options);
  const accepts = ({ boards }: Body): boolean => Array.isArray(boards);
  const { body } = await call(config, { method: "GET", path: "/boards", accepts }, options);
  return (body as { boards: Board[] }).boards;
}

export async function readStandings(
  config: Config,
  boardId: string,
  options: StandingsOptions,
): Promise<StandingPage | null> {
  checkId("boardId", boardId);
  checkOptions(options, `${standingsOptions} `);
  const { period = "current", around, platformIds, limit, cursor, name } = options;
  checkId("period", period);
  if (around !== undefined) checkPlatformId(around);
  if (limit !== undefined) checkInteger("limit", limit, 1, PAGE_SIZE_MAX);
  if (cursor !== undefined) checkText("cursor", cursor);
  if (platformIds !== undefined) {
    check(Array.isArray(platformIds), "platformIds must be an array");
    for (const platformId of platformIds) checkPlatformId(platformId);
  }
  const query = { around, platformIds: platformIds?.join(","), limit, cursor, ...including({ name }) };
  const path = withQuery(`/boards/${boardId}/periods/${period}/members`, query);
  const accepts = ({ members, period: shown }: Body): boolean => Array.isArray(members) && typeof shown === "object";
  try {
    return (await call(config, { method: "GET", path, accepts }, options)).body as StandingPage;
  } catch (error) {
    if (around === undefined) throw error;
    return nullIfMissing(error);
  }
}
