// The button of all pages, and the look of a link that is like one.
import type { ComponentProps } from "react";

const kinds = {
  primary: "bg-accent text-on-accent border-transparent hover:brightness-110",
  plain: "bg-panel text-ink border-field hover:bg-sunken",
  /** For an action that cannot be undone. */
  warning: "bg-panel text-danger-ink border-field hover:bg-sunken",
  danger: "bg-danger text-on-accent border-transparent hover:brightness-110",
} as const;

const sizes = { normal: "min-h-9 px-3.5 py-1.5", small: "min-h-8 px-2.5 py-1 text-sm" } as const;

export type ButtonLook = { kind?: keyof typeof kinds; size?: keyof typeof sizes };

export function buttonClass({ kind = "plain", size = "normal" }: ButtonLook): string {
  return `inline-flex items-center justify-center gap-2 rounded-lg border font-medium whitespace-nowrap transition disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 ${kinds[kind]} ${sizes[size]}`;
}

type Props = ComponentProps<"button"> & ButtonLook & { busy?: boolean };

export function Button({
  kind = "plain",
  size = "normal",
  busy = false,
  className = "",
  disabled,
  onClick,
  children,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled}
      // Not disabled while it is busy: it would lose the focus.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={`${buttonClass({ kind, size })} ${className}`}
    >
      {children}
    </button>
  );
}
