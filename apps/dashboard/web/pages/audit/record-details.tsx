// The details of a record: when and where the change was made, and what it changed, from the value before to the one
// after it.
import { useState } from "react";
import { auditDetails } from "#contract/dashboard/audit-details.ts";
import type { AuditRecordFacts } from "#contract/dashboard/audit.ts";
import { Button } from "../../parts/button.tsx";
import { Detail, Details } from "../../parts/details.tsx";
import { BatchLink } from "../../parts/links.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { ZonedTime } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { UndoImportDialog } from "../members/undo-import-dialog.tsx";

export function RecordDetails({ clanId, record }: { clanId: string; record: AuditRecordFacts }) {
  const { mayChange } = useClan();
  return (
    <>
      <Facts clanId={clanId} record={record} />
      {mayChange && record.action === "member.import" ? <UndoImport clanId={clanId} name={record.target} /> : null}
    </>
  );
}

/** Of all imports of this name. */
function UndoImport({ clanId, name }: { clanId: string; name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="mt-3">
      <Button size="small" onClick={() => setIsOpen(true)}>
        Undo import
      </Button>
      {isOpen ? <UndoImportDialog clanId={clanId} name={name} onClose={() => setIsOpen(false)} /> : null}
    </div>
  );
}

function Facts({ clanId, record }: { clanId: string; record: AuditRecordFacts }) {
  return (
    <Details>
      <Detail name="When">
        <ZonedTime at={record.at} />
      </Detail>
      <Detail name="Where">{viaTexts[record.via]}</Detail>
      <Target clanId={clanId} record={record} />
      {auditDetails(record).map(({ label, before, after }) => (
        <Detail key={label} name={label}>
          {before === null ? null : (
            <>
              <span className="text-muted">{before}</span> <span aria-hidden="true">→</span>
              <span className="sr-only">changed to</span>{" "}
            </>
          )}
          {after ?? "none"}
        </Detail>
      ))}
    </Details>
  );
}

const viaTexts: Record<AuditRecordFacts["via"], string> = {
  cli: "Command line",
  dashboard: "Dashboard",
  hook: "Erasure hook",
};

/** The member or the batch, with a link to its page. */
function Target({ clanId, record: { action, target, member } }: { clanId: string; record: AuditRecordFacts }) {
  if (action === "batch.cancel") {
    return (
      <Detail name="Batch">
        <BatchLink clanId={clanId} batchId={target} />
      </Detail>
    );
  }
  if (!member) return null;
  return (
    <Detail name="Member">
      <MemberLink clanId={clanId} {...member} />
    </Detail>
  );
}
