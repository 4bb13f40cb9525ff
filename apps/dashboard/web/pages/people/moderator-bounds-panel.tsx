// How much XP each moderator of the clan may give and take.
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import type { ModeratorBounds } from "#domain/moderator.ts";
import { ModeratorBoundsRequest } from "#contract/dashboard/clans.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { fieldOf } from "../../parts/field-of.ts";
import { formResolver } from "../../parts/form-resolver.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { numberText, wholeNumber } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { Failed } from "../../parts/states.tsx";
import { NumberField } from "../../parts/number-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useFaultFocus } from "../../parts/use-fault-focus.ts";
import { useUndo } from "../../parts/use-undo.ts";

type Values = Record<keyof ModeratorBounds, string>;

export function ModeratorBoundsPanel({ clanId }: { clanId: string }) {
  const clan = useApi("read-clan", { params: { clanId } });
  return (
    <div className="mt-6 max-w-2xl">
      <Panel title="Moderators" note="How much XP each of them may give and take. Owners have no bounds.">
        <Loaded query={clan} what="the bounds">
          {/* A form begins anew with what somebody else has saved. */}
          {({ moderatorBounds: bounds }) => (
            <BoundsForm key={`${bounds.xpPerAward}/${bounds.xpPerDay}`} clanId={clanId} bounds={bounds} />
          )}
        </Loaded>
      </Panel>
    </div>
  );
}

function BoundsForm({ clanId, bounds }: { clanId: string; bounds: ModeratorBounds }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  const form = useForm<Values>({
    resolver: formResolver(ModeratorBoundsRequest, requestOf),
    defaultValues: { xpPerAward: numberText(bounds.xpPerAward), xpPerDay: numberText(bounds.xpPerDay) },
  });
  const save = useMutation({
    mutationFn: (values: Values) => set(requestOf(values)),
    onSuccess: () => toast({ title: "Bounds of moderators saved", undo: undo(() => set(bounds)) }),
  });
  const focus = useFaultFocus(save.isPending);
  const changed = requestOf(form.watch());
  const isDirty = changed.xpPerAward !== bounds.xpPerAward || changed.xpPerDay !== bounds.xpPerDay;

  async function set(moderatorBounds: ModeratorBounds): Promise<void> {
    await call("change-clan", { params: { clanId }, body: { moderatorBounds } });
    await invalidate("read-clan");
  }

  return (
    <form
      ref={focus}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending && isDirty) void form.handleSubmit((values) => save.mutate(values))();
      }}
    >
      {save.error ? <Failed error={save.error} /> : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label="XP per award"
          hint="The most that they give or take at a time."
          {...fieldOf(form, "xpPerAward")}
        />
        <NumberField
          label="XP per day"
          hint="Given and taken together, from midnight UTC."
          {...fieldOf(form, "xpPerDay")}
        />
      </div>
      <div>
        <Button type="submit" busy={save.isPending} disabled={!isDirty}>
          Save
        </Button>
      </div>
    </form>
  );
}

function requestOf({ xpPerAward, xpPerDay }: Values): ModeratorBounds {
  return { xpPerAward: wholeNumber(xpPerAward), xpPerDay: wholeNumber(xpPerDay) };
}
