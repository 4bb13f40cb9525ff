// What an import has done, or what its check foresees: the counts, and the lines that need attention.
import type { ImportReport } from "#contract/dashboard/imports.ts";
import { Fact } from "../../parts/fact.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Note } from "../../parts/toned.tsx";

type Props = { report: ImportReport; isDryRun?: boolean };

export function ImportResult({ report, isDryRun = false }: Props) {
  const { imported, repeated, repeatedInFile, shortened, skipped, faults, notes } = report;
  const others = [
    ["Imported before", repeated],
    ["Repeated in this file", repeatedInFile],
    ["Shortened by the minimum or maximum XP", shortened],
  ] as const;
  return (
    <>
      <Note role="status" tone={skipped > 0 ? "warn" : imported > 0 ? "good" : "plain"}>
        {resultText(report, isDryRun)}
      </Note>
      <dl className="grid gap-3 empty:hidden sm:grid-cols-3">
        {others.map(([name, count]) =>
          count === 0 ? null : (
            <Fact key={name} name={name}>
              {numberText(count)}
            </Fact>
          ),
        )}
      </dl>
      <Lines label="Faults" lines={faults} all={skipped} />
      <Lines label="Notes" lines={notes} all={repeatedInFile + shortened} />
    </>
  );
}

function resultText({ lines, imported, skipped }: ImportReport, isDryRun: boolean): string {
  if (lines === 0) return "The file has no line below the first one.";
  if (imported === 0) return isDryRun ? "No line would be imported." : "No line was imported.";
  const good = `${linesText(imported)} ${isDryRun ? "would be imported" : imported === 1 ? "was imported" : "were imported"}`;
  if (skipped === 0) return `${good}.`;
  return `${good}, and ${numberText(skipped)} ${isDryRun ? "would be skipped" : skipped === 1 ? "was skipped" : "were skipped"}.`;
}

function linesText(count: number): string {
  return count === 1 ? "1 line" : `${numberText(count)} lines`;
}

/** `all`: the server lists only the first of them. */
function Lines({ label, lines, all }: { label: string; lines: ImportReport["faults"]; all: number }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3 className="font-medium">{label}</h3>
      <ul
        aria-label={label}
        // It can be scrolled by keyboard.
        tabIndex={0}
        className="mt-1 grid max-h-48 gap-1 overflow-y-auto rounded-lg border border-line p-3 text-sm wrap-anywhere"
      >
        {lines.map(({ line, detail }) => (
          <li key={line}>
            Line {line}: {detail}
          </li>
        ))}
        {all > lines.length ? <li>And {numberText(all - lines.length)} more.</li> : null}
      </ul>
    </section>
  );
}
