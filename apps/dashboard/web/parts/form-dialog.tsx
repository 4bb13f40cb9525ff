// A dialog that is one form from its opening to its end.
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { DialogForm, type DialogFormProps } from "./dialog-form.tsx";

type Props = DialogFormProps & { title: string; description?: ReactNode };

export function FormDialog({ title, description, ...form }: Props) {
  return (
    <Dialog open onClose={form.onClose} title={title} description={description}>
      <DialogForm {...form} />
    </Dialog>
  );
}
