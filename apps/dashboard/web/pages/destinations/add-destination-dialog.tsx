// Adds a destination, and then shows the signing secret of a webhook once. Others open their page.
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { destinationKinds, destinationTypesDefault } from "#domain/destination.ts";
import { AddDestinationRequest } from "#contract/dashboard/destinations.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { destinationPath } from "../../parts/links.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { sentBy } from "../../parts/sent-by.ts";
import { kindNames } from "./destination-status.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { SettingFields, type SettingValues } from "./setting-fields.tsx";

const NO_VALUES = { name: "", url: "", only: "", target: "", credential: "", requestsPerMinute: "" } as const;

export function AddDestinationDialog({ clanId, onClose }: { clanId: string; onClose(): void }) {
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const form = useForm<SettingValues>({
    resolver: formResolver(AddDestinationRequest, requestOf),
    defaultValues: { ...NO_VALUES, kind: "webhook", types: [...destinationTypesDefault] },
  });
  const add = useMutation({
    mutationFn: (values: SettingValues) => call("add-destination", { params: { clanId }, body: requestOf(values) }),
    onSuccess({ destination, secret }) {
      if (secret === null) void navigate(destinationPath(destination));
    },
    onSettled: () => invalidate("list-destinations"),
  });
  if (typeof add.data?.secret === "string")
    return (
      <SecretDialog
        title="Destination added"
        destination={add.data.destination}
        secret={add.data.secret}
        onClose={onClose}
      />
    );
  const kind = form.watch("kind");
  const faultAt = (pointer: string): string | undefined => faultOf(add.error, pointer);
  const isShown = ["/name", "/url", "/types", "/target", "/credential"].some((one) => faultAt(one) !== undefined);
  return (
    <FormDialog
      title="Add destination"
      description="It receives what happens from now on."
      submit="Add"
      {...sentBy(add, form)}
      {...(isShown ? { error: null } : {})}
      onClose={onClose}
    >
      <SelectField
        label="Kind"
        options={destinationKinds.map((one) => [one, kindNames[one]] as const)}
        {...form.register("kind")}
      />
      <SettingFields clanId={clanId} form={form} kind={kind} faultAt={faultAt} />
    </FormDialog>
  );
}

function requestOf(values: SettingValues): AddDestinationRequest {
  const { kind, name, url, types, only, target, credential } = values;
  const named = { kind, name: name.trim() };
  if (kind !== "webhook" && kind !== "discord")
    return { ...named, target: target.trim(), credential: credential.trim() };
  const to = { ...named, url: url.trim() };
  if (kind === "webhook" || only === "") return { ...to, types };
  return { ...to, only, ...(only === "summaries" ? {} : { types }) };
}
