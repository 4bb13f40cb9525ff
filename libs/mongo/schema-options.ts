// The options of every schema. Only the stores write documents, and input is checked at the edge. Schemas define
// what is stored, and unknown fields throw.

export const SCHEMA_OPTIONS = {
  strict: "throw",
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
  minimize: false,
} as const;
