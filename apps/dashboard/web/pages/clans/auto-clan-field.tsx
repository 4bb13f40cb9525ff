// Whether a clan is an Auto Clan, with an explanation.
import { useId, type ComponentProps } from "react";

export function AutoClanField({ wiring }: { wiring: ComponentProps<"input"> }) {
  const hint = useId();
  return (
    <div>
      <label className="flex items-center gap-2.5 font-medium">
        <input type="checkbox" {...wiring} aria-describedby={hint} className="size-4 accent-accent" />
        Auto Clan
      </label>
      <p id={hint} className="mt-1 text-sm text-muted">
        When it is on, XP is stored for every player, and a player who reaches the lowest threshold becomes a member.
      </p>
    </div>
  );
}
