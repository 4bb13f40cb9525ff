// Creates a clan, then opens its ranks: it has no rank but Guest yet.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { CreateClanRequest } from "#contract/dashboard/clans.ts";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { meKey } from "../../api/use-me.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { AutoClanField } from "./auto-clan-field.tsx";

type Values = { clanId: string; name: string; autoClan: boolean };

export function CreateClanDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const toast = useToast();
  const form = useForm<Values>({
    resolver: formResolver(CreateClanRequest, requestOf),
    defaultValues: { clanId: "", name: "", autoClan: true },
  });
  const create = useMutation({
    mutationFn: (values: Values) => call("create-clan", { body: requestOf(values) }),
    async onSuccess({ clanId, name }) {
      toast({ title: `Clan ${name} created`, description: "Add its ranks, then create an API key." });
      await client.invalidateQueries({ queryKey: meKey });
      await navigate(`/clans/${encodeURIComponent(clanId)}/ranks`);
    },
    onSettled: () => invalidate("list-clans"),
  });
  const faults = form.formState.errors;
  const takenFault =
    create.error instanceof ApiError ? create.error.faults.find(({ pointer }) => pointer === "/clanId") : undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create clan"
      description="It begins with one rank, Guest. Its owner is invited separately."
    >
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(() => create.mutate(form.getValues()))(event)}
        className="grid gap-4"
      >
        {create.error ? <Failed error={create.error} /> : null}
        <Field
          label="Clan ID"
          hint="Part of every path of the API, and never changes."
          error={faults.clanId?.message ?? takenFault?.detail}
        >
          {(wiring) => (
            <input
              {...wiring}
              {...form.register("clanId")}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="field font-mono"
            />
          )}
        </Field>
        <Field label="Name" hint="Without one, the clan ID is shown." error={faults.name?.message}>
          {(wiring) => <input {...wiring} {...form.register("name")} autoComplete="off" className="field" />}
        </Field>
        <AutoClanField wiring={form.register("autoClan")} />
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

function requestOf({ clanId, name, autoClan }: Values): CreateClanRequest {
  const id = clanId.trim();
  return { clanId: id, name: name.trim() === "" ? id : name.trim(), autoClan };
}
