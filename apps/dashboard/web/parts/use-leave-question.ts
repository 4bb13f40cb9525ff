// Asks before the browser's Back or a link takes away what is shown only once.
import { useEffect } from "react";
import { useBlocker } from "react-router";

export function useLeaveQuestion(question: string): void {
  const blocker = useBlocker(true);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(question)) blocker.proceed();
    else blocker.reset();
  }, [blocker, question]);
}
