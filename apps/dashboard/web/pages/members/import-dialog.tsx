// Imports members and XP from a CSV file: Check reports what the file would do, and Import does it for the good lines.
import { useState } from "react";
import type { ImportReport } from "#contract/dashboard/imports.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { DownloadLink } from "../../parts/download-link.tsx";
import { faultOf } from "../../parts/error-texts.ts";
import { TextField } from "../../parts/text-field.tsx";
import { ColumnFields } from "./column-fields.tsx";
import { ImportResult } from "./import-result.tsx";
import { UndoImportDialog } from "./undo-import-dialog.tsx";
import { ID_COLUMN, useImport } from "./use-import.ts";

/** That of the command line: the same file counts once, imported here or there. */
const NAME_DEFAULT = "import";

export function ImportDialog({ clanId, onClose }: { clanId: string; onClose(): void }) {
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState(NAME_DEFAULT);
  const [isUndoing, setIsUndoing] = useState(false);
  const { choose, asked, setChosen, check, apply } = useImport(clanId);
  const checked = check.data;
  const error = apply.error ?? check.error;
  const [fileFault, nameFault, idFault] = ["/csv", "/name", ID_COLUMN].map((pointer) => faultOf(error, pointer));
  const isAtField = [fileFault, nameFault, idFault].some((fault) => fault !== undefined);
  const isBusy = check.isPending || apply.isPending;
  function forget(): void {
    check.reset();
    apply.reset();
  }
  if (isUndoing && checked) return <UndoImportDialog clanId={clanId} name={checked.content.name} onClose={onClose} />;
  return (
    <Dialog
      open
      sticky={isBusy}
      onClose={onClose}
      title="Import CSV"
      {...(apply.data ? {} : { description: "Adds XP, memberships, appointments and names, one line for each." })}
    >
      {apply.data ? (
        <Imported report={apply.data} onUndo={() => setIsUndoing(true)} onClose={onClose} />
      ) : (
        <DialogForm
          error={isAtField ? null : error}
          fieldError={isAtField ? error : null}
          submit={checked ? "Import" : "Check"}
          isDisabled={checked?.report.imported === 0}
          isBusy={isBusy}
          onEdit={forget}
          onSubmit={() => (checked ? apply.mutate(checked) : check.mutate({ file, name: name.trim() }))}
          onClose={onClose}
        >
          <FileField
            clanId={clanId}
            fault={fileFault}
            onChoose={(chosen) => {
              setFile(chosen);
              choose(chosen);
            }}
          />
          {asked ? <ColumnFields {...asked} fault={idFault} onChoose={setChosen} /> : null}
          <TextField
            label="Name of the import"
            hint="A line counts once for each member and name. To add XP to the same members again, enter another name."
            error={nameFault}
            autoCapitalize="none"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {checked ? <ImportResult report={checked.report} isDryRun /> : null}
        </DialogForm>
      )}
    </Dialog>
  );
}

type FileProps = { clanId: string; fault: string | undefined; onChoose(file: File | null): void };

function FileField({ clanId, fault, onChoose }: FileProps) {
  return (
    <div>
      <TextField
        label="CSV file"
        type="file"
        accept=".csv,text/csv"
        className="file:mr-3 file:cursor-pointer file:rounded-md file:border-0 file:bg-sunken file:px-2.5 file:py-0.5 file:font-medium"
        hint="In UTF-8, with at most 10,000 lines. The first line names the columns: platform_id, and xp, membership, appointed_rank, name, reason or key. For columns of other names, you choose which is which."
        error={fault}
        onChange={(event) => onChoose(event.target.files?.[0] ?? null)}
      />
      <div className="mt-2">
        <DownloadLink endpoint="download-import-sample" params={{ clanId }} size="small">
          Download a sample
        </DownloadLink>
      </div>
    </div>
  );
}

function Imported({ report, onUndo, onClose }: { report: ImportReport; onUndo(): void; onClose(): void }) {
  return (
    <>
      <div className="grid gap-4">
        <ImportResult report={report} />
      </div>
      <DialogButtons>
        {report.imported > 0 ? <Button onClick={onUndo}>Undo import</Button> : null}
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </>
  );
}
