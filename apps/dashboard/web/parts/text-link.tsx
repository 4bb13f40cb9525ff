// A link in a text or a table.
import { Link, type LinkProps } from "react-router";

export function TextLink({ className = "", ...link }: LinkProps) {
  return <Link {...link} className={`wrap-anywhere text-accent-ink underline-offset-4 hover:underline ${className}`} />;
}
