// A sentence that has to be seen. With a role, it is read out when it appears.
import type { ComponentProps } from "react";
import { tones, type Tone } from "./tones.ts";

export function Note({ tone, className = "", ...text }: ComponentProps<"p"> & { tone: Tone }) {
  return <p {...text} className={`rounded-lg px-3 py-2 font-medium ${tones[tone]} ${className}`} />;
}
