// Reads the text of a file that a person has chosen. Its faults are those of the field, as the server's are.
import { UPLOAD_BYTES_MAX } from "#contract/dashboard/imports.ts";
import { ApiError } from "../../api/api-error.ts";

/** Throws ApiError. */
export async function textOfFile(file: File | null): Promise<string> {
  if (!file) throw fileFault("Choose a file.");
  if (file.size === 0) throw fileFault("The file is empty.");
  if (file.size > UPLOAD_BYTES_MAX)
    throw fileFault(`The file has more than ${UPLOAD_BYTES_MAX / 1_048_576} MiB. Divide it, and import each part.`);
  const bytes = await file.arrayBuffer().catch(() => {
    throw fileFault("The file cannot be read. Choose it again.");
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fileFault("The file is not UTF-8. Save it as CSV in UTF-8, and choose it again.");
  }
}

function fileFault(detail: string): ApiError {
  return new ApiError({ code: "invalid_request", detail, requestId: null, faults: [{ pointer: "/csv", detail }] });
}
