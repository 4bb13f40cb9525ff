// The button of all pages. `danger`: for actions that cannot be undone.
import type { ComponentProps } from "react";

const kinds = {
  primary: "bg-accent text-on-accent border-transparent hover:brightness-110",
  plain: "bg-panel text-ink border-field hover:bg-sunken",
  /** For an action that cannot be undone. */
  warning: "bg-panel text-danger-ink border-field hover:bg-sunken",
  danger: "bg-danger text-on-accent border-transparent hover:brightness-110",
} as const;

const sizes = { normal: "min-h-9 px-3.5 py-1.5", small: "min-h-8 px-2.5 py-1 text-sm" } as const;

type Props = ComponentProps<"button"> & { kind?: keyof typeof kinds; size?: keyof typeof sizes; busy?: boolean };

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
      className={`inline-flex items-center justify-center gap-2 rounded-lg border font-medium whitespace-nowrap transition disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 ${kinds[kind]} ${sizes[size]} ${className}`}
    >
      {children}
    </button>
  );
}
