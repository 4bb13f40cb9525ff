// A state in one word, with an explanation on hover.
import { tones, type Tone } from "./tones.ts";

export type Look = { text: string; tone: Tone; title: string };

export function Pill({ look: { text, tone, title } }: { look: Look }) {
  return (
    <span title={title} className={`inline-block rounded-full px-2.5 py-0.5 text-sm font-medium ${tones[tone]}`}>
      {text}
    </span>
  );
}
