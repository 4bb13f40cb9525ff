// Connects a form in a dialog with its request: the values are sent once the resolver has accepted them, and an edit
// clears the last error. An error that a field shows is not shown a second time.
import type { UseMutationResult } from "@tanstack/react-query";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import type { DialogFormProps } from "./dialog-form.tsx";
import { faultOf } from "./error-texts.ts";

/** `atField`: the place in the request whose fault a field shows, such as "/name". */
export function sentBy<Values extends FieldValues>(
  request: Pick<UseMutationResult<unknown, Error, Values>, "error" | "isPending" | "reset" | "mutate">,
  form: Pick<UseFormReturn<Values>, "handleSubmit" | "getValues">,
  atField?: string,
): Pick<DialogFormProps, "error" | "isBusy" | "onEdit" | "onSubmit"> {
  return {
    error: atField !== undefined && faultOf(request.error, atField) !== undefined ? null : request.error,
    isBusy: request.isPending,
    onEdit: request.reset,
    onSubmit: () => void form.handleSubmit(() => request.mutate(form.getValues()))(),
  };
}
