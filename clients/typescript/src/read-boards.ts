// Reads of boards and of the standings of their periods.
import type { Body, Config } from "./attempt.ts";
import { call } from "./call.ts";
import { checkId, checkOptions } from "./check.ts";
import { listQuery } from "./list-query.ts";
import { standingsOptions } from "./option-names.ts";
import { nullIfMissing } from "./read-members.ts";
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
  const { period = "current", around } = options;
  checkId("period", period);
  const path = withQuery(`/boards/${boardId}/periods/${period}/members`, listQuery(options));
  const accepts = ({ members, period: shown }: Body): boolean => Array.isArray(members) && typeof shown === "object";
  try {
    return (await call(config, { method: "GET", path, accepts }, options)).body as StandingPage;
  } catch (error) {
    if (around === undefined) throw error;
    return nullIfMissing(error);
  }
}
