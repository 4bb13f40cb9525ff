// The fields of a destination's settings, by its kind: of the dialogs that add and change one.
import type { UseFormReturn } from "react-hook-form";
import type { DestinationKind, OnlyChoice } from "#domain/destination.ts";
import type { EventType } from "#domain/event.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { SelectField } from "../../parts/select-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { EventTypesField } from "./event-types-field.tsx";

export type SettingValues = {
  kind: DestinationKind;
  name: string;
  url: string;
  types: EventType[];
  only: OnlyChoice | "";
  target: string;
  credential: string;
  requestsPerMinute: string;
};

/** `isStored`: secrets are stored already, and stay if nothing is entered. `faultAt`: what the server rejected. */
type Props = {
  clanId: string;
  form: UseFormReturn<SettingValues>;
  kind: DestinationKind;
  isStored?: boolean;
  faultAt(pointer: string): string | undefined;
};

const messages = [
  ["", "All chosen events"],
  ["up", "Only rises and joins"],
  ["summaries", "Only summaries of weeks and seasons"],
] as const satisfies readonly (readonly [SettingValues["only"], string])[];
const keeps = "It is stored encrypted and not shown again. Leave empty to keep it.";
const shownOnce = "It is stored encrypted and not shown again.";
/** Browsers must not offer to store them. */
const secret = { autoComplete: "off", spellCheck: false, className: "font-mono text-sm" } as const;

export function SettingFields({ clanId, form, kind, isStored = false, faultAt }: Props) {
  const placeholder = isStored ? "unchanged" : undefined;
  const hint = isStored ? keeps : shownOnce;
  const nameField = <TextField label="Name" {...fieldOf(form, "name", faultAt("/name"))} />;
  if (kind === "webhook" || kind === "discord") {
    return (
      <>
        {nameField}
        <TextField
          label="URL"
          hint={kind === "discord" ? `The webhook of a channel: Edit Channel, Integrations. ${hint}` : hint}
          placeholder={placeholder ?? (kind === "discord" ? "https://discord.com/api/webhooks/…" : "https://…")}
          {...secret}
          {...fieldOf(form, "url", faultAt("/url"))}
        />
        {kind === "discord" ? <SelectField label="Messages" options={messages} {...form.register("only")} /> : null}
        {kind === "discord" && form.watch("only") === "summaries" ? null : (
          <EventTypesField
            clanId={clanId}
            stored={(form.formState.defaultValues?.types ?? []).filter((type) => type !== undefined)}
            {...fieldOf(form, "types", faultAt("/types"))}
          />
        )}
      </>
    );
  }
  const isGroup = kind === "roblox-group";
  return (
    <>
      {nameField}
      <TextField
        label={isGroup ? "Group" : "Server"}
        hint={
          isGroup ? "The number in the address of the group." : "The ID of the server: developer mode, Copy Server ID."
        }
        inputMode="numeric"
        {...fieldOf(form, "target", faultAt("/target"))}
      />
      <TextField
        label={isGroup ? "Open Cloud key" : "Bot token"}
        hint={`${isGroup ? "With the scope group:write." : "Of a bot with the permission Manage Roles."} ${hint}`}
        placeholder={placeholder}
        {...secret}
        {...fieldOf(form, "credential", faultAt("/credential"))}
      />
      {isGroup && isStored ? (
        <TextField
          label="Requests per minute"
          hint="Of the 300 that Roblox allows the key's owner for all tools together."
          inputMode="numeric"
          {...fieldOf(form, "requestsPerMinute", faultAt("/requestsPerMinute"))}
        />
      ) : null}
    </>
  );
}
