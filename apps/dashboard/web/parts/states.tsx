// The states of a page without data: empty, loading, failed.
import { useEffect, useState, type ReactNode } from "react";
import { ApiError } from "../api/api-error.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";

/** A spinner that appeared earlier would only flicker. */
const SPINNER_AFTER_MS = 200;

export function Loading({ what }: { what: string }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SPINNER_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return <div className="min-h-40" aria-busy="true" />;
  return (
    <div role="status" className="grid min-h-40 place-items-center text-muted">
      Loading {what} …
    </div>
  );
}

type EmptyProps = { title: string; children?: ReactNode; action?: ReactNode };

/** `action`: the button of what a person would do next. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="grid min-h-40 place-items-center rounded-xl border border-dashed border-line p-6 text-center">
      <div>
        <p className="font-medium">{title}</p>
        {children === undefined ? null : <div className="mt-1 text-muted">{children}</div>}
        <div className="mt-3 flex flex-wrap justify-center gap-2 empty:hidden">{action}</div>
      </div>
    </div>
  );
}

/** The server's error text, with the request's id for the operator. */
export function Failed({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const detail = error instanceof ApiError ? error.message : "Something unexpected happened on this page. Reload it.";
  return (
    <div role="alert" className="rounded-xl bg-danger-soft p-4 text-danger-ink">
      <p className="font-medium break-words">{detail}</p>
      {requestId === null ? null : <p className="mt-1 font-mono text-sm break-all">Request {requestId}</p>}
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {onRetry ? (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        {requestId === null ? null : <CopyButton text={requestId} label="Copy request ID" size="small" />}
      </div>
    </div>
  );
}
