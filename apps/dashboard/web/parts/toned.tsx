// What has the color of a state: a sentence or a word, which has the same meaning.
import type { ComponentProps } from "react";

const tones = {
  plain: "bg-sunken text-muted",
  good: "bg-good-soft text-good-ink",
  warn: "bg-warn-soft text-warn-ink",
  danger: "bg-danger-soft text-danger-ink",
} as const;
type Tone = keyof typeof tones;

/** An important sentence. With a role, screen readers announce it when it appears. */
export function Note({ tone, className = "", ...text }: ComponentProps<"p"> & { tone: Tone }) {
  return <p {...text} className={`rounded-lg px-3 py-2 font-medium ${tones[tone]} ${className}`} />;
}

export type Look = { text: string; tone: Tone; title: string };

/** A state in one word, with an explanation on hover. */
export function Pill({ look: { text, tone, title } }: { look: Look }) {
  return (
    <span title={title} className={`inline-block rounded-full px-2.5 py-0.5 text-sm font-medium ${tones[tone]}`}>
      {text}
    </span>
  );
}
