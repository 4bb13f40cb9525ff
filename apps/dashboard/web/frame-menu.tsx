// A menu of the frame: below its icon in the bar of a narrow screen, otherwise above its button at the end of the
// navigation.
import type { ReactNode } from "react";

type Props = {
  id: string;
  label: string;
  icon: ReactNode;
  /** What the button shows beside the icon where there is room. */
  text: ReactNode;
  children: ReactNode;
};

export function FrameMenu({ id, label, icon, text, children }: Props) {
  return (
    <div>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        className="flex size-10 items-center justify-center gap-2.5 rounded-lg text-muted hover:bg-sunken hover:text-ink md:size-auto md:w-full md:justify-start md:px-2.5 md:py-1.5"
      >
        {icon}
        <span className="hidden min-w-0 flex-1 items-center gap-2 md:flex">{text}</span>
      </button>
      <div
        id={id}
        popover="auto"
        className="fixed top-15 right-2 bottom-auto left-auto m-0 max-h-[calc(100dvh-5rem)] w-64 max-w-dvw flex-col gap-1 overflow-y-auto rounded-xl border border-line bg-panel p-2 text-ink shadow-xl open:flex md:top-auto md:right-auto md:bottom-4 md:left-62"
      >
        {children}
      </div>
    </div>
  );
}
