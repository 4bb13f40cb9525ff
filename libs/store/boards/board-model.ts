// The collection of boards: its documents, their conversion, and its indexes, each with the query that needs it.
import { Schema, type Connection, type Model } from "mongoose";
import type { Board, Schedule } from "#domain/board.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";
import type { StoredBoard } from "#usecases/boards/ports.ts";

/** `_id`: "clanId/boardId". Of seasons, `coveredTo` is null. */
export type BoardDoc = Omit<StoredBoard, "schedule"> & { _id: string; schedule: Schedule };

const boardSchema = new Schema<BoardDoc>(
  {
    _id: { type: String, required: true },
    clanId: { type: String, required: true },
    boardId: { type: String, required: true },
    uid: { type: String, required: true },
    name: { type: String, required: true },
    schedule: { type: Schema.Types.Mixed, required: true },
    settleMs: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    coveredTo: Date,
    asOf: { type: Date, required: true },
  },
  SCHEMA_OPTIONS,
);
// Boards whose next period has begun.
boardSchema.index({ coveredTo: 1 });

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

export function makeBoardModel(connection: Connection): Model<BoardDoc> {
  return connection.model<BoardDoc>("board", boardSchema, "boards");
}
