// One check of the doctor.

export type CheckStatus = "ok" | "warn" | "fail";
export type Check = {
  name: string;
  status: CheckStatus;
  detail: string;
  /** How to fix it; null if it is ok. */ fix: string | null;
};

/** Of the indexes of a collection. */
export const AS_DECLARED = "as declared";

export function ok(name: string, detail: string): Check {
  return { name, status: "ok", detail, fix: null };
}
export function warn(name: string, detail: string, fix: string): Check {
  return { name, status: "warn", detail, fix };
}
export function fail(name: string, detail: string, fix: string): Check {
  return { name, status: "fail", detail, fix };
}
