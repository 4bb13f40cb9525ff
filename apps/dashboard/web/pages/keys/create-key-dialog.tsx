// Creates a key, and then shows its secret once.
import { useForm } from "react-hook-form";
import { SCOPES_DEFAULT, type Scope } from "#domain/scope.ts";
import { CreateKeyRequest } from "#contract/dashboard/keys.ts";
import { useAction } from "../../api/use-action.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { SelectField } from "../../parts/select-field.tsx";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { BudgetFields } from "./budget-fields.tsx";
import { IssuedKeyDialog } from "./issued-key-dialog.tsx";
import { limitOf } from "../../parts/numbers.ts";
import { ScopesField } from "./scopes-field.tsx";

type Values = {
  name: string;
  scopes: Scope[];
  expires: string;
  expiresOn: string;
  amountMax: string;
  xpPerDay: string;
};

const DAY_MS = 86_400_000;
/** A number means days. */
const lives = [
  ["never", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["date", "On a date …"],
] as const;

export function CreateKeyDialog({ clanId, onClose }: { clanId: string; onClose(): void }) {
  const form = useForm<Values>({
    resolver: formResolver(CreateKeyRequest, requestOf, { expiresAt: "expiresOn" }),
    defaultValues: {
      name: "",
      scopes: [...SCOPES_DEFAULT],
      expires: "never",
      expiresOn: "",
      amountMax: "",
      xpPerDay: "",
    },
  });
  const create = useAction("create-key", (values: Values) => ({ params: { clanId }, body: requestOf(values) }), {
    refreshes: ["list-keys"],
  });
  if (create.data)
    return <IssuedKeyDialog clanId={clanId} issued={create.data} title="Key created" onClose={onClose} />;
  const faults = form.formState.errors;
  return (
    <FormDialog
      title="Create key"
      description="Give it the name of the game or server that will use it."
      submit="Create"
      {...sentBy(create, form)}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="game-server" {...fieldOf(form, "name")} />
      <ScopesField {...fieldOf(form, "scopes")} />
      <SelectField
        label="Expires"
        hint="Keys that expire must be replaced in time; you can rotate a key at any moment."
        options={lives}
        {...form.register("expires")}
      />
      {form.watch("expires") === "date" ? (
        <TextField
          label="Expiry date"
          error={faults.expiresOn ? "must be a date in the future" : undefined}
          type="date"
          {...form.register("expiresOn")}
        />
      ) : null}
      <BudgetFields
        amountMax={{ placeholder: "No limit", ...fieldOf(form, "amountMax") }}
        xpPerDay={{ placeholder: "No limit", ...fieldOf(form, "xpPerDay") }}
      />
    </FormDialog>
  );
}

function requestOf({ name, scopes, expires, expiresOn, amountMax, xpPerDay }: Values): CreateKeyRequest {
  return {
    name: name.trim(),
    scopes,
    expiresAt: expiryOf(expires, expiresOn),
    amountMax: limitOf(amountMax),
    xpPerDay: limitOf(xpPerDay),
  };
}

/** The key expires at the end of the day in the person's time zone. */
function expiryOf(expires: string, expiresOn: string): string | null {
  if (expires === "never") return null;
  if (expires !== "date") return new Date(Date.now() + Number(expires) * DAY_MS).toISOString();
  const end = new Date(`${expiresOn}T23:59:59`);
  return Number.isNaN(end.getTime()) ? "" : end.toISOString();
}
