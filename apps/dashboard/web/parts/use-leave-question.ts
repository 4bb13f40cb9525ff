// Asks before the browser's Back button discards what is shown only once. Dialogs keep the person from everything else
// that leads to another page, and a page may leave by itself.
import { useEffect } from "react";
import { NavigationType, useBlocker } from "react-router";

/** `question` null: nothing is lost. */
export function useLeaveQuestion(question: string | null): void {
  const blocker = useBlocker(({ historyAction }) => question !== null && historyAction === NavigationType.Pop);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (question === null || window.confirm(question)) blocker.proceed();
    else blocker.reset();
  }, [blocker, question]);
}
