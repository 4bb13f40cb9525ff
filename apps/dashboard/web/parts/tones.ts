// The colors of states. The text beside them has the same meaning.
export const tones = {
  plain: "bg-sunken text-muted",
  good: "bg-good-soft text-good-ink",
  warn: "bg-warn-soft text-warn-ink",
  danger: "bg-danger-soft text-danger-ink",
} as const;
export type Tone = keyof typeof tones;
