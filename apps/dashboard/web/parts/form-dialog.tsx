// A dialog that contains one form. While its request is in progress, it stays open: the request cannot be cancelled,
// and its response may be shown only once.
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { DialogForm, type DialogFormProps } from "./dialog-form.tsx";

type Props = DialogFormProps & { title: string; description?: ReactNode };

export function FormDialog({ title, description, ...form }: Props) {
  return (
    <Dialog open sticky={form.isBusy} onClose={form.onClose} title={title} description={description}>
      <DialogForm {...form} />
    </Dialog>
  );
}
