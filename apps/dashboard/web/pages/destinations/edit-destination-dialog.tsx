// Changes the settings of a destination. Only edited ones are sent; secrets stay unless new ones are entered.
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { ChangeDestinationRequest, type DestinationFacts } from "#contract/dashboard/destinations.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { wholeNumber } from "../../parts/numbers.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { useToast } from "../../parts/toasts.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { SettingFields, type SettingValues } from "./setting-fields.tsx";

export function EditDestinationDialog({ destination, onClose }: { destination: DestinationFacts; onClose(): void }) {
  const { clanId, destinationId, kind } = destination;
  const invalidate = useInvalidate();
  const toast = useToast();
  const stored = valuesOf(destination);
  const form = useForm<SettingValues>({
    resolver: formResolver(ChangeDestinationRequest, (values) => changesOf(values, stored)),
    defaultValues: stored,
  });
  const save = useMutation({
    mutationFn: (values: SettingValues) =>
      call("change-destination", { params: { clanId, destinationId }, body: changesOf(values, stored) }),
    onSuccess({ destination: { name }, secret }) {
      if (secret !== null) return;
      toast({ title: `${name} saved`, description: "The change takes effect within a second." });
      onClose();
    },
    onSettled: () => invalidate("read-destination", "list-destinations", "read-roles"),
  });
  if (typeof save.data?.secret === "string")
    return (
      <SecretDialog title="New signing secret" destination={destination} secret={save.data.secret} onClose={onClose} />
    );
  const faultAt = (pointer: string): string | undefined => faultOf(save.error, pointer);
  const isShown = ["/name", "/url", "/types", "/target", "/credential"].some((one) => faultAt(one) !== undefined);
  const isDirty = Object.keys(changesOf(form.watch(), stored)).length > 0;
  return (
    <FormDialog
      title={`Edit ${destination.name}`}
      submit="Save"
      isDisabled={!isDirty}
      {...sentBy(save, form)}
      {...(isShown ? { error: null } : {})}
      onClose={onClose}
    >
      <SettingFields clanId={clanId} form={form} kind={kind} isStored faultAt={faultAt} />
    </FormDialog>
  );
}

function valuesOf(destination: DestinationFacts): SettingValues {
  const { kind, name, types, only, groupId, guildId, requestsPerMinute } = destination;
  return {
    kind,
    name,
    url: "",
    types: [...types],
    only: only ?? "",
    target: groupId ?? guildId ?? "",
    credential: "",
    requestsPerMinute: String(requestsPerMinute ?? ""),
  };
}

function changesOf(values: SettingValues, stored: SettingValues): ChangeDestinationRequest {
  const { name, url, types, only, target, credential, requestsPerMinute } = values;
  const isSame = types.length === stored.types.length && stored.types.every((type) => types.includes(type));
  return {
    ...(name.trim() === stored.name ? {} : { name: name.trim() }),
    ...(url.trim() === "" ? {} : { url: url.trim() }),
    ...(isSame || only === "summaries" ? {} : { types }),
    ...(only === stored.only ? {} : { only: only === "" ? null : only }),
    ...(target.trim() === stored.target ? {} : { target: target.trim() }),
    ...(credential.trim() === "" ? {} : { credential: credential.trim() }),
    ...(requestsPerMinute === stored.requestsPerMinute ? {} : { requestsPerMinute: wholeNumber(requestsPerMinute) }),
  };
}
