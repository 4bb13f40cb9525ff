// Shown in place of a page that failed to load or to render.
import { useRouteError } from "react-router";
import { Failed } from "./states.tsx";

export function Broken() {
  const error = useRouteError();
  return (
    <main className="mx-auto max-w-xl p-6">
      <h1 className="mb-4 text-xl font-semibold">This page cannot be shown</h1>
      <Failed
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => window.location.reload()}
      />
    </main>
  );
}
