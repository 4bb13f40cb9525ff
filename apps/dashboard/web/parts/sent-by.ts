// Connects a form in a dialog with its request: the values are sent once the resolver has accepted them, and an edit
// clears the last error.
import type { UseMutationResult } from "@tanstack/react-query";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import type { DialogFormProps } from "./dialog-form.tsx";

export function sentBy<Values extends FieldValues>(
  request: Pick<UseMutationResult<unknown, Error, Values>, "error" | "isPending" | "reset" | "mutate">,
  form: Pick<UseFormReturn<Values>, "handleSubmit" | "getValues">,
): Pick<DialogFormProps, "error" | "isBusy" | "onEdit" | "onSubmit"> {
  return {
    error: request.error,
    isBusy: request.isPending,
    onEdit: request.reset,
    onSubmit: () => void form.handleSubmit(() => request.mutate(form.getValues()))(),
  };
}
