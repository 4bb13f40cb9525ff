// Asks before the browser's Back button discards data that is shown only once. Dialogs block all other navigation, and
// a page can still navigate by itself.
import { useEffect } from "react";
import { NavigationType, useBlocker } from "react-router";

/** `question` null: nothing would be lost. */
export function useLeaveQuestion(question: string | null): void {
  const blocker = useBlocker(({ historyAction }) => question !== null && historyAction === NavigationType.Pop);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (question === null || window.confirm(question)) blocker.proceed();
    else blocker.reset();
  }, [blocker, question]);
}
