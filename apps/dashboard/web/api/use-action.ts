// What a person does on a page: an endpoint is called, a note says what happened, and what has changed is read again.
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import type { DashboardEndpointName } from "#contract/dashboard/endpoints.ts";
import { useToast, type Note } from "../parts/toasts.tsx";
import { call, type ResponseOf, type Sent } from "./call.ts";
import { useInvalidate } from "./use-api.ts";

export type ActionEffects<Name extends DashboardEndpointName, Values = void> = {
  /** Read again on every page that shows them, also after an error: the request may have been executed. */
  refreshes?: readonly DashboardEndpointName[];
  note?(response: ResponseOf<Name>, values: Values): Note;
  /** After the note; the action is busy until it ends. */
  onDone?(response: ResponseOf<Name>, values: Values): unknown;
};

export function useAction<Name extends DashboardEndpointName, Values = void>(
  name: Name,
  sentOf: (values: Values) => Sent<Name>,
  { refreshes = [], note, onDone }: ActionEffects<Name, Values>,
): UseMutationResult<ResponseOf<Name>, Error, Values> {
  const invalidate = useInvalidate();
  const toast = useToast();
  return useMutation({
    mutationFn: (values: Values) => call(name, sentOf(values)),
    async onSuccess(response, values) {
      if (note) toast(note(response, values));
      await onDone?.(response, values);
    },
    onSettled: () => invalidate(...refreshes),
  });
}
