// A checkbox for each type of event that a destination can receive.
import type { ComponentProps } from "react";
import { useApi } from "../../api/use-api.ts";
import type { EventType } from "#domain/event.ts";
import { ChoicesField } from "../../parts/choices-field.tsx";

const meanings: Record<EventType, string> = {
  "member.rank_changed": "a member rises or falls",
  "member.joined": "a membership begins",
  "member.left": "a membership ends",
  "award.applied": "each award",
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

const NO_AWARD_EVENTS = "each award: not available, an operator has to switch on award events of this clan";

type Props = ComponentProps<"input"> & {
  clanId: string;
  /** Those that the destination receives now: they can be deselected in any case. */
  stored: readonly EventType[];
  error: string | undefined;
};

export function EventTypesField({ clanId, stored, ...props }: Props) {
  const clan = useApi("read-clan", { params: { clanId } }).data;
  const hasNone = clan?.awardEvents === false;
  return (
    <ChoicesField
      label="Events"
      choices={hasNone ? { ...meanings, "award.applied": NO_AWARD_EVENTS } : meanings}
      disabledChoices={hasNone && !stored.includes("award.applied") ? ["award.applied"] : []}
      {...props}
    />
  );
}
