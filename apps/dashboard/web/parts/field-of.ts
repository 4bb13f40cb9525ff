// Connects a field with its form: its value, and what is wrong with it.
import { get, type FieldError, type FieldPath, type FieldValues, type UseFormReturn } from "react-hook-form";

/** Props of a field. `fault`: what the server, or another part of the page, found wrong with it. */
export function fieldOf<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: FieldPath<Values>,
  fault?: string,
) {
  const own: FieldError | undefined = get(form.formState.errors, name);
  return { ...form.register(name), error: own?.message ?? fault };
}
