// Creates a key, then shows its secret this once.
import { useMutation } from "@tanstack/react-query";
import { useForm, type UseFormReturn } from "react-hook-form";
import { scopes, SCOPES_DEFAULT, type Scope } from "#domain/scope.ts";
import { CreateKeyRequest } from "#contract/dashboard/keys.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { Failed } from "../../parts/states.tsx";
import { IssuedKeyDialog } from "./issued-key-dialog.tsx";

type Values = { name: string; scopes: Scope[]; expires: string; expiresOn: string };

const DAY_MS = 86_400_000;
const lives = {
  never: "Never",
  "30": "In 30 days",
  "90": "In 90 days",
  "365": "In a year",
  date: "On a date …",
} as const;
const meanings: Record<Scope, string> = {
  award: "give XP to members",
  deduct: "take XP from members",
  reverse: "take awards back",
  read: "read members, ranks and ledgers",
};

export function CreateKeyDialog({ clanId, onClose }: { clanId: string; onClose(): void }) {
  const invalidate = useInvalidate();
  const form = useForm<Values>({
    resolver: formResolver(CreateKeyRequest, requestOf),
    defaultValues: { name: "", scopes: [...SCOPES_DEFAULT], expires: "never", expiresOn: "" },
  });
  const create = useMutation({
    mutationFn: (values: Values) => call("create-key", { params: { clanId }, body: requestOf(values) }),
    onSettled: () => invalidate("list-keys"),
  });
  if (create.data)
    return <IssuedKeyDialog clanId={clanId} issued={create.data} title="Key created" onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create key"
      description="Give it the name of the game or server that will use it."
    >
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(() => create.mutate(form.getValues()))(event)}
        className="grid gap-4"
      >
        {create.error ? <Failed error={create.error} /> : null}
        <Field label="Name" error={form.formState.errors.name?.message}>
          {(wiring) => (
            <input
              {...wiring}
              {...form.register("name")}
              autoComplete="off"
              placeholder="game-server"
              className="field"
            />
          )}
        </Field>
        <ScopesField form={form} />
        <ExpiryFields form={form} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function ScopesField({ form }: { form: UseFormReturn<Values> }) {
  const fault = form.formState.errors.scopes;
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Scopes</legend>
      <div className="grid gap-1.5">
        {scopes.map((scope) => (
          <label key={scope} className="flex items-baseline gap-2.5">
            <input
              type="checkbox"
              value={scope}
              aria-label={scope}
              aria-description={meanings[scope]}
              {...form.register("scopes")}
              className="size-4 translate-y-0.5 accent-accent"
            />
            <span>
              {scope} <span className="text-sm text-muted">{meanings[scope]}</span>
            </span>
          </label>
        ))}
      </div>
      {fault ? <p className="mt-1 text-sm text-danger-ink">Scopes {fault.message}</p> : null}
    </fieldset>
  );
}

function ExpiryFields({ form }: { form: UseFormReturn<Values> }) {
  // The resolver answers under the names of the request.
  const fault: unknown = Reflect.get(form.formState.errors, "expiresAt");
  return (
    <>
      <Field label="Expires" hint="Keys that expire must be replaced in time; you can rotate a key at any moment.">
        {(wiring) => (
          <select {...wiring} {...form.register("expires")} className="field">
            {Object.entries(lives).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      {form.watch("expires") === "date" ? (
        <Field label="Expiry date" error={fault ? "must be a date in the future" : undefined}>
          {(wiring) => <input {...wiring} {...form.register("expiresOn")} type="date" className="field" />}
        </Field>
      ) : null}
    </>
  );
}

function requestOf({ name, scopes: wanted, expires, expiresOn }: Values): {
  name: string;
  scopes: Scope[];
  expiresAt: string | null;
} {
  return { name: name.trim(), scopes: wanted, expiresAt: expiryOf(expires, expiresOn) };
}

/** A date ends with its day, where the person is. */
function expiryOf(expires: string, expiresOn: string): string | null {
  if (expires === "never") return null;
  if (expires !== "date") return new Date(Date.now() + Number(expires) * DAY_MS).toISOString();
  const end = new Date(`${expiresOn}T23:59:59`);
  return Number.isNaN(end.getTime()) ? "" : end.toISOString();
}
