// A checkbox for each type of event that a destination can receive.
import type { ComponentProps } from "react";
import type { EventType } from "#domain/event.ts";
import { ChoicesField } from "../../parts/choices-field.tsx";

const meanings: Record<EventType, string> = {
  "member.rank_changed": "a member rises or falls",
  "member.joined": "a membership begins",
  "member.left": "a membership ends",
  "award.applied": "each award, if your operator has switched this on",
  "batch.done": "a batch of awards is done",
  "reversal.done": "awards were taken back",
  "ranks.changed": "ranks or thresholds were changed",
  "period.final": "the standings of a board's period are final",
  "events.erased": "a person was erased: delete your copies",
  "key.created": "an API key was created",
  "key.rotated": "an API key was replaced",
  "key.revoked": "an API key was revoked",
  "destination.disabled": "another destination was disabled",
};

export function EventTypesField(props: ComponentProps<"input"> & { error: string | undefined }) {
  return <ChoicesField label="Events" choices={meanings} {...props} />;
}
