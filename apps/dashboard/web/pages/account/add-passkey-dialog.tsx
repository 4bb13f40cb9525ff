// Adds a passkey: asks for a name and the current password, then opens the browser's own dialog.
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { PasskeyForm } from "#contract/dashboard/passkeys.ts";
import { call } from "../../api/call.ts";
import { createPasskey, deviceName } from "../../api/passkeys.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { CurrentPasswordField } from "./current-password-field.tsx";

type Values = { name: string; current: string };

export function AddPasskeyDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose(): void }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const form = useForm<Values>({
    resolver: formResolver(PasskeyForm),
    defaultValues: { name: deviceName(), current: "" },
  });
  const add = useMutation({
    async mutationFn({ name, current }: Values) {
      const { options } = await call("begin-passkey", { body: { current: hasPassword ? current : null } });
      await call("add-passkey", { body: { name, credential: await createPasskey(options) } });
    },
    async onSuccess(_, { name }) {
      toast({ title: "Passkey added", description: `You can sign in with ${name} from now on.` });
      onClose();
      await invalidate("list-passkeys");
    },
  });
  return (
    <FormDialog
      title="Add passkey"
      description="Your browser then asks where to store it."
      submit="Add"
      {...sentBy(add, form, "/current")}
      onClose={onClose}
    >
      <TextField label="Name" hint="The device or password manager, to recognize it by." {...fieldOf(form, "name")} />
      {hasPassword ? <CurrentPasswordField {...form.register("current")} error={add.error} /> : null}
    </FormDialog>
  );
}
