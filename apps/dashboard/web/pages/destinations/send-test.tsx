// Sends a sample to a destination, and shows what its receiver answered.
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DestinationFacts, TestFacts } from "#contract/dashboard/destinations.ts";
import { call } from "../../api/call.ts";
import { Button } from "../../parts/button.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Failed } from "../../parts/states.tsx";
import { Note } from "../../parts/toned.tsx";

/** `children`: other buttons, in the same row. */
type Props = { destination: DestinationFacts; children?: ReactNode };

export function SendTest({ destination: { clanId, destinationId }, children }: Props) {
  const test = useMutation({
    mutationFn: () => call("test-destination", { params: { clanId, destinationId } }),
  });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          Send test
        </Button>
        {children}
      </div>
      <div role="status" className="grid gap-2 empty:hidden">
        {test.isPending ? <p className="text-muted">Waiting for the response …</p> : null}
        {test.data ? <Result result={test.data} /> : null}
      </div>
      {test.error ? <Failed error={test.error} /> : null}
    </div>
  );
}

function Result({ result: { status, ms, error, response } }: { result: TestFacts }) {
  const isAccepted = error === null;
  const answer = status === null ? (error === null ? "" : `, ${error}`) : `, status ${status}`;
  return (
    <>
      <Note tone={isAccepted ? "good" : "danger"}>
        {isAccepted ? "Accepted" : "Not accepted"}
        {answer}, after {numberText(ms)} ms
      </Note>
      {response === null || response === "" ? null : (
        <pre
          tabIndex={0}
          role="region"
          aria-label="Response"
          className="max-h-40 overflow-auto rounded-lg bg-sunken p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
        >
          {response}
        </pre>
      )}
    </>
  );
}
