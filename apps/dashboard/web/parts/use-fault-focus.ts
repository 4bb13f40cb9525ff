// Leads to the first field of a form that is marked as wrong, when something was found wrong with it.
import { useEffect, useRef, type RefObject } from "react";

/** `judged`: changes when the form was judged. The ref is the form's. */
export function useFaultFocus(judged: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [judged]);
  return form;
}
