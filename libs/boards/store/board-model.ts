// The collection of boards: its documents, their conversion, and its indexes, each with the query that needs it.
import type { Board, Schedule } from "#domain/board.ts";
import { index } from "#mongo/collection.ts";
import type { StoredBoard } from "#boards/ports.ts";

/** `_id`: "clanId/boardId". Of seasons, `coveredTo` is null. */
export type BoardDoc = Omit<StoredBoard, "schedule"> & { _id: string; schedule: Schedule };

export const BOARDS = {
  name: "boards",
  indexes: [
    // Boards whose next period has begun.
    index({ coveredTo: 1 }),
  ],
};

export function boardKey({ clanId, boardId }: Pick<Board, "clanId" | "boardId">): string {
  return `${clanId}/${boardId}`;
}

export function boardOfDoc(doc: BoardDoc): StoredBoard {
  const { clanId, boardId, uid, name, schedule, settleMs, createdAt, coveredTo, asOf } = doc;
  return { clanId, boardId, uid, name, schedule, settleMs, createdAt, coveredTo, asOf };
}

/** The fields of a board in an audit record. */
export function boardInAudit({ name, schedule, settleMs }: Board): object {
  return { name, ...schedule, settleHours: settleMs / 3_600_000 };
}
