// Creates a clan, and then opens its ranks, because it has no rank except Guest yet.
import { useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { CreateClanRequest } from "#contract/dashboard/clans.ts";
import { meKey } from "../../api/use-me.ts";
import { useAction } from "../../api/use-action.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { AutoClanField } from "./auto-clan-field.tsx";

type Values = { clanId: string; name: string; autoClan: boolean };

export function CreateClanDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<Values>({
    resolver: formResolver(CreateClanRequest, requestOf),
    defaultValues: { clanId: "", name: "", autoClan: true },
  });
  const create = useAction("create-clan", (values: Values) => ({ body: requestOf(values) }), {
    note: ({ clanId, name }) => ({
      title: `Clan ${name} created`,
      description: "Add its ranks, then create an API key.",
      path: ranksPath(clanId),
    }),
    refreshes: ["list-clans"],
    async onDone({ clanId }) {
      await client.invalidateQueries({ queryKey: meKey });
      await navigate(ranksPath(clanId));
    },
  });
  return (
    <FormDialog
      title="Create clan"
      description="It begins with one rank, Guest. Its owner is invited separately."
      submit="Create"
      {...sentBy(create, form, "/clanId")}
      onClose={onClose}
    >
      <TextField
        label="Clan ID"
        hint="Part of every path of the API, and never changes."
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono"
        {...fieldOf(form, "clanId", faultOf(create.error, "/clanId"))}
      />
      <TextField label="Name" hint="Without one, the clan ID is shown." {...fieldOf(form, "name")} />
      <AutoClanField wiring={form.register("autoClan")} />
    </FormDialog>
  );
}

function requestOf({ clanId, name, autoClan }: Values): CreateClanRequest {
  const id = clanId.trim();
  return { clanId: id, name: name.trim() === "" ? id : name.trim(), autoClan };
}

function ranksPath(clanId: string): string {
  return `/clans/${encodeURIComponent(clanId)}/ranks`;
}
