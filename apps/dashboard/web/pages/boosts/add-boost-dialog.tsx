// Adds a boost for some time, or for each of the next weekends.
import { useForm, type UseFormReturn } from "react-hook-form";
import { AddBoostsRequest } from "#contract/dashboard/boosts.ts";
import { useAction } from "../../api/use-action.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { LocalTimeField } from "../../parts/local-time-field.tsx";
import { localText, timestampOf } from "../../parts/local-time.ts";
import { wholeNumber } from "../../parts/numbers.ts";
import { SelectField } from "../../parts/select-field.tsx";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { TimeZoneField } from "../../parts/time-zone-field.tsx";

type Values = {
  name: string;
  factor: string;
  when: string;
  from: string;
  to: string;
  weekends: string;
  timeZone: string;
  ranks: string[];
  placeIds: string;
};

const FIELDS = { "/window/from": "from", "/window/weekends": "weekends", "/window/timeZone": "timeZone", window: "to" };
const DAY_MS = 86_400_000;
const whens = [
  ["now", "From now on"],
  ["later", "Between two times"],
  ["weekends", "On the next weekends"],
] as const;

type Props = { clanId: string; ranks: readonly string[]; onClose(): void };

export function AddBoostDialog({ clanId, ranks, onClose }: Props) {
  const form = useForm<Values>({
    resolver: formResolver(AddBoostsRequest, requestOf, FIELDS),
    defaultValues: {
      name: "",
      factor: "2",
      when: "weekends",
      from: "",
      to: localText(Date.now() + DAY_MS),
      weekends: "1",
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ranks: [],
      placeIds: "",
    },
  });
  const add = useAction("add-boosts", (values: Values) => ({ params: { clanId }, body: requestOf(values) }), {
    note: ({ boosts }, { name }) => ({
      title: boosts.length === 1 ? `${name} added` : `${name} added for ${boosts.length} weekends`,
      description: "It acts within a second.",
    }),
    refreshes: ["list-boosts"],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Add boost"
      description="It raises awards with a positive amount that API keys send."
      submit="Add"
      {...sentBy(add, form)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Shown in the ledger and to game servers."
        placeholder="Double XP"
        {...fieldOf(form, "name")}
      />
      <TextField
        label="Factor"
        hint="2 doubles an amount. The result is rounded down."
        inputMode="decimal"
        {...fieldOf(form, "factor")}
      />
      <WindowFields form={form} />
      <RanksField ranks={ranks} form={form} />
      <TextField
        label="Place IDs"
        hint="Only awards from these places, separated by commas. Empty: all awards."
        {...fieldOf(form, "placeIds")}
      />
    </FormDialog>
  );
}

function WindowFields({ form }: { form: UseFormReturn<Values> }) {
  const when = form.watch("when");
  return (
    <>
      <SelectField label="When" options={whens} {...form.register("when")} />
      {when === "weekends" ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Weekends"
            hint="Each from Saturday 00:00 to Monday 00:00. A weekend that is running does not count."
            inputMode="numeric"
            {...fieldOf(form, "weekends")}
          />
          <TimeZoneField {...fieldOf(form, "timeZone")} />
        </div>
      ) : (
        <div className="grid gap-4 sm:grid-cols-2">
          {when === "later" ? (
            <LocalTimeField label="Starts" local={form.watch("from")} {...fieldOf(form, "from")} />
          ) : null}
          <LocalTimeField label="Ends" local={form.watch("to")} {...fieldOf(form, "to")} />
        </div>
      )}
    </>
  );
}

function RanksField({ ranks, form }: { ranks: readonly string[]; form: UseFormReturn<Values> }) {
  return (
    <fieldset aria-label="Ranks">
      <legend className="mb-1 font-medium">Ranks</legend>
      <p className="mb-1 text-sm text-muted">Only members who have one of these before the award. None: all members.</p>
      <div className="grid gap-1.5 sm:grid-cols-2">
        {ranks.map((rank) => (
          <label key={rank} className="flex items-baseline gap-2.5">
            <input
              type="checkbox"
              value={rank}
              className="size-4 translate-y-0.5 accent-accent"
              {...form.register("ranks")}
            />
            <span className="min-w-0 break-words">{rank}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function requestOf({ name, factor, when, from, to, weekends, timeZone, ranks, placeIds }: Values): AddBoostsRequest {
  return {
    name: name.trim(),
    factor: factor.trim(),
    window:
      when === "weekends"
        ? { kind: "weekends", weekends: wholeNumber(weekends), timeZone: timeZone.trim() }
        : { kind: "times", from: when === "now" ? null : timestampOf(from), to: timestampOf(to) },
    // A single checkbox has a text or false as its value.
    ranks: [ranks].flat().filter(Boolean),
    placeIds: placeIds
      .split(",")
      .map((id) => id.trim())
      .filter((id) => id !== ""),
  };
}
