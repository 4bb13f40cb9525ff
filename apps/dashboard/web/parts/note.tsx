// An important sentence. With a role, screen readers announce it when it appears.
import type { ComponentProps } from "react";
import { tones, type Tone } from "./tones.ts";

export function Note({ tone, className = "", ...text }: ComponentProps<"p"> & { tone: Tone }) {
  return <p {...text} className={`rounded-lg px-3 py-2 font-medium ${tones[tone]} ${className}`} />;
}
