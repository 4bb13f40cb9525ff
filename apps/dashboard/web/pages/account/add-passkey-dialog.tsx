// Adds a passkey: a name and the present password here, the rest in the browser's own dialog.
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { PasskeyForm } from "#contract/dashboard/passkeys.ts";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { createPasskey, deviceName } from "../../api/passkeys.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";

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
  const currentFault =
    add.error instanceof ApiError ? add.error.faults.find(({ pointer }) => pointer === "/current") : undefined;
  const { errors } = form.formState;
  return (
    <Dialog open onClose={onClose} title="Add passkey" description="Your browser then asks where to store it.">
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit((values) => add.mutate(values))(event)}
        className="grid gap-4"
      >
        {add.error && !currentFault ? <Failed error={add.error} /> : null}
        <Field label="Name" hint="The device or password manager, to recognize it by." error={errors.name?.message}>
          {(wiring) => <input {...wiring} {...form.register("name")} autoComplete="off" className="field" />}
        </Field>
        {hasPassword ? (
          <Field label="Present password" error={currentFault?.detail}>
            {(wiring) => (
              <input
                {...wiring}
                {...form.register("current")}
                type="password"
                autoComplete="current-password"
                className="field"
              />
            )}
          </Field>
        ) : null}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={add.isPending}>
            Add
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
