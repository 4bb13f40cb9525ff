// Takes back what was just done, and says whether that worked.
import { errorText } from "./error-text.ts";
import { useToast } from "./toasts.tsx";

/** Makes a toast's Undo out of what takes the change back; `done`: what is said then. */
export function useUndo(): (takeBack: () => Promise<unknown>, done?: string) => () => void {
  const toast = useToast();
  return (takeBack, done = "Undone") =>
    () => {
      takeBack().then(
        () => toast({ title: done }),
        (error: unknown) => toast({ title: "It was not undone", description: errorText(error) }),
      );
    };
}
