// Imports members and XP from a CSV file: Check reports what the file would do, and Import does it for the good lines.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ImportReport } from "#contract/dashboard/imports.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { faultOf } from "../../parts/error-texts.ts";
import { TextField } from "../../parts/text-field.tsx";
import { ImportResult } from "./import-result.tsx";
import { textOfFile } from "./text-of-file.ts";

/** The largest file takes some seconds, on a busy server many. */
const TIMEOUT_MS = 180_000;
/** That of the command line: the same file counts once, imported here or there. */
const NAME_DEFAULT = "import";

/** What was checked: the file may change until it is imported. */
type Checked = { csv: string; name: string; report: ImportReport };

export function ImportDialog({ clanId, onClose }: { clanId: string; onClose(): void }) {
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState(NAME_DEFAULT);
  const { check, apply } = useImport(clanId);
  const checked = check.data;
  const error = apply.error ?? check.error;
  const [fileFault, nameFault] = [faultOf(error, "/csv"), faultOf(error, "/name")];
  const isAtField = fileFault !== undefined || nameFault !== undefined;
  const isBusy = check.isPending || apply.isPending;
  function forget(): void {
    check.reset();
    apply.reset();
  }
  return (
    <Dialog
      open
      sticky={isBusy}
      onClose={onClose}
      title="Import CSV"
      {...(apply.data ? {} : { description: "Adds XP, memberships, appointments and names, one line for each." })}
    >
      {apply.data ? (
        <Imported report={apply.data} onClose={onClose} />
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
          <TextField
            label="CSV file"
            type="file"
            accept=".csv,text/csv"
            className="file:mr-3 file:cursor-pointer file:rounded-md file:border-0 file:bg-sunken file:px-2.5 file:py-0.5 file:font-medium"
            hint="In UTF-8, with at most 10,000 lines. The first line names the columns: platformId, and xp, membership, appointedRank, name, reason or key."
            error={fileFault}
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          />
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

function useImport(clanId: string) {
  const invalidate = useInvalidate();
  const send = (body: { csv: string; name: string; dryRun: boolean }) =>
    call("import-members", { params: { clanId }, body }, undefined, TIMEOUT_MS);
  const check = useMutation({
    async mutationFn({ file, name }: { file: File | null; name: string }): Promise<Checked> {
      const content = { csv: await textOfFile(file), name };
      return { ...content, report: await send({ ...content, dryRun: true }) };
    },
  });
  const apply = useMutation({
    mutationFn: ({ csv, name }: Checked) => send({ csv, name, dryRun: false }),
    onSettled: () =>
      invalidate("list-members", "read-member", "read-member-ledger", "read-overview", "read-highlights"),
  });
  return { check, apply };
}

function Imported({ report, onClose }: { report: ImportReport; onClose(): void }) {
  return (
    <>
      <div className="grid gap-4">
        <ImportResult report={report} />
      </div>
      <DialogButtons>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </>
  );
}
