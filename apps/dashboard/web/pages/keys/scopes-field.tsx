// A checkbox for each scope of a key.
import type { ComponentProps } from "react";
import type { Scope } from "#domain/scope.ts";
import { ChoicesField } from "../../parts/choices-field.tsx";

const meanings: Record<Scope, string> = {
  award: "give XP to members",
  deduct: "take XP from members",
  reverse: "take awards back",
  read: "read members, ranks and ledgers",
};

export function ScopesField(props: ComponentProps<"input"> & { error: string | undefined }) {
  return <ChoicesField label="Scopes" choices={meanings} {...props} />;
}
