// Moves the focus to the first invalid field after a form was checked.
import { useEffect, useRef, type RefObject } from "react";

/** `result`: changes when the form was checked. The returned ref belongs to the form. */
export function useFaultFocus(result: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [result]);
  return form;
}
