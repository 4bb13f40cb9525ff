// Changes a clan's name, kind and bounds. Only edited settings are sent.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ClanSettingsRequest, type ClanFacts } from "#contract/dashboard/clans.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { meKey } from "../../api/use-me.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { limitOf, numberText, plainNumber, wholeNumber } from "../../parts/numbers.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { NumberField } from "../../parts/number-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useUndo } from "../../parts/use-undo.ts";
import { AutoClanField } from "./auto-clan-field.tsx";
import { ErasureHookDialog, type OpenErasureHook } from "./erasure-hook-dialog.tsx";
import { ErasureHooksSection } from "./erasure-hooks-section.tsx";

type Values = { name: string; autoClan: boolean; xpFloor: string; xpCap: string; amountMax: string; xpPerDay: string };

export function ClanSettingsDialog({ clan, onClose }: { clan: ClanFacts; onClose(): void }) {
  const params = { clanId: clan.clanId };
  const client = useQueryClient();
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  const stored = valuesOf(clan);
  const form = useForm<Values>({
    resolver: formResolver(ClanSettingsRequest, (values) => changesOf(values, stored)),
    defaultValues: stored,
  });
  const refresh = async (): Promise<void> => {
    await Promise.all([
      invalidate("list-clans", "read-clan", "read-ranks"),
      client.invalidateQueries({ queryKey: meKey }),
    ]);
  };
  const save = useMutation({
    mutationFn: (values: Values) => call("change-clan", { params, body: changesOf(values, stored) }),
    onSuccess(changed, values) {
      const back = changesOf(stored, values);
      toast({
        title: `${changed.name} saved`,
        description: "The change takes effect within a second.",
        undo: undo(async () => {
          await call("change-clan", { params, body: back });
          await refresh();
        }),
      });
      onClose();
    },
    onSettled: refresh,
  });
  const [hook, setHook] = useState<OpenErasureHook | null>(null);
  const onBack = (): void => setHook(null);
  if (hook) return <ErasureHookDialog {...params} open={hook} onOpen={setHook} onBack={onBack} onClose={onClose} />;
  const isDirty = Object.keys(changesOf(form.watch(), stored)).length > 0;
  return (
    <FormDialog
      title={`Settings of ${clan.name}`}
      description={`Clan ID ${clan.clanId}`}
      submit="Save"
      isDisabled={!isDirty}
      {...sentBy(save, form)}
      onClose={onClose}
    >
      <TextField label="Name" {...fieldOf(form, "name")} />
      <AutoClanField wiring={form.register("autoClan")} />
      <TextField
        label="Minimum XP"
        hint="Deductions never take XP below it. Leave empty for no minimum."
        className="tabular-nums"
        {...fieldOf(form, "xpFloor")}
      />
      <NumberField label="Maximum XP" hint="Awards never raise XP above it." {...fieldOf(form, "xpCap")} />
      <NumberField label="Largest amount" hint="Of one award, positive or negative." {...fieldOf(form, "amountMax")} />
      <NumberField
        label="XP per day"
        hint="What game servers can award a member in a day, from midnight UTC. Leave empty for no limit."
        {...fieldOf(form, "xpPerDay")}
      />
      <ErasureHooksSection clanId={clan.clanId} onOpen={setHook} />
    </FormDialog>
  );
}

function valuesOf({ name, autoClan, xpFloor, xpCap, amountMax, xpPerDay }: ClanFacts): Values {
  return {
    name,
    autoClan,
    xpFloor: xpFloor === null ? "" : numberText(xpFloor),
    xpCap: numberText(xpCap),
    amountMax: numberText(amountMax),
    xpPerDay: xpPerDay === null ? "" : numberText(xpPerDay),
  };
}

/** The settings that were edited: concurrent changes of other settings stay. */
function changesOf(values: Values, stored: Values): ClanSettingsRequest {
  const floor = plainNumber(values.xpFloor);
  return {
    ...(values.name.trim() === stored.name.trim() ? {} : { name: values.name.trim() }),
    ...(values.autoClan === stored.autoClan ? {} : { autoClan: values.autoClan }),
    ...(floor === plainNumber(stored.xpFloor) ? {} : { xpFloor: floor === "" ? null : floor }),
    ...(plainNumber(values.xpCap) === plainNumber(stored.xpCap) ? {} : { xpCap: plainNumber(values.xpCap) }),
    ...(plainNumber(values.amountMax) === plainNumber(stored.amountMax)
      ? {}
      : { amountMax: wholeNumber(values.amountMax) }),
    ...(plainNumber(values.xpPerDay) === plainNumber(stored.xpPerDay) ? {} : { xpPerDay: limitOf(values.xpPerDay) }),
  };
}
