// Undoes the last change, and reports whether that succeeded.
import { errorText } from "./error-texts.ts";
import { useToast } from "./toasts.tsx";

/** Creates a toast's Undo from a function that reverts the change; `done`: the text after it succeeded. */
export function useUndo(): (undo: () => Promise<unknown>, done?: string) => () => void {
  const toast = useToast();
  return (undo, done = "Undone") =>
    () => {
      undo().then(
        () => toast({ title: done }),
        (error: unknown) => toast({ title: "It was not undone", description: errorText(error) }),
      );
    };
}
