// The button of all pages. `danger`: for actions that cannot be undone.
import type { ComponentProps } from "react";
import { buttonClass, type ButtonLook } from "./button-class.ts";

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
