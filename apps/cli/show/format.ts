// How times and amounts look in the output for people: short, in the reader's time zone and with separators on a
// terminal; in full where a program or a file reads the output.

export type Format = {
  isTerminal: boolean;
  time(at: Date | string): string;
  number(amount: bigint | number | string): string;
};

/** A text that depends on who reads it. */
export type Text = string | ((format: Format) => string);

export const inFull: Format = {
  isTerminal: false,
  time: (at) => (typeof at === "string" ? at : at.toISOString()),
  number: (amount) => amount.toString(),
};

/** Sweden writes times as 2026-11-28 20:04, which sorts and is read alike everywhere. */
const minutes = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "short" });
const grouped = new Intl.NumberFormat("en");

export const forTerminal: Format = {
  isTerminal: true,
  time: (at) => minutes.format(new Date(at)),
  number: (amount) => grouped.format(BigInt(amount)),
};

export function textIn(format: Format, text: Text): string {
  return typeof text === "string" ? text : text(format);
}
