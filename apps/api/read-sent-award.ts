// One entry of a batch as it was sent: valid, or rejected with the parts that could be read. An invalid entry is
// rejected alone.
import { BatchAward } from "#contract/batch.ts";
import { typeName } from "#contract/faults.ts";
import { parse } from "#contract/parse.ts";
import type { SentAward } from "#batches/admit-awards.ts";

export function readSentAward(sent: unknown): SentAward {
  const fields =
    typeof sent === "object" && sent !== null && !Array.isArray(sent) ? (sent as Record<string, unknown>) : {};
  const meaning = JSON.stringify([fields["platformId"] ?? null, fields["amount"] ?? null]);
  const parsed = parse(BatchAward, sent);
  if (parsed.ok) return { sent: meaning, award: parsed.value };

  const [fault] = parsed.faults;
  const detail = fault?.pointer
    ? `${fault.pointer.slice(1)} ${fault.detail}.`
    : `The entry must be an object with platformId and amount, not ${typeName(sent)}.`;
  const { platformId } = fields;
  return {
    sent: meaning,
    // Stored and returned as it is, except for lone surrogates, which no store accepts.
    award: {
      platformId: typeof platformId === "string" ? platformId.toWellFormed() : null,
      code: "invalid_request",
      detail,
    },
  };
}
