// A setting that is on or off, and acts when it is switched.
import { useEffect, useId, useState } from "react";

type Props = { label: string; hint: string; isOn: boolean; isBusy: boolean; onChange(isOn: boolean): void };

export function SwitchField({ label, hint, isOn, isBusy, onChange }: Props) {
  const id = useId();
  // As the person has switched it, until its request is done.
  const [shown, setShown] = useState(isOn);
  useEffect(() => {
    if (!isBusy) setShown(isOn);
  }, [isOn, isBusy]);
  function change(isNowOn: boolean): void {
    setShown(isNowOn);
    onChange(isNowOn);
  }
  return (
    <div>
      <label className="flex items-center gap-2.5 font-medium">
        <input
          type="checkbox"
          role="switch"
          checked={shown}
          // Not disabled while it is busy: it would lose the focus.
          onChange={(event) => change(event.target.checked)}
          aria-describedby={id}
          className="size-4 accent-accent"
        />
        {label}
      </label>
      <p id={id} className="mt-1 text-sm text-muted">
        {hint}
      </p>
    </div>
  );
}
