// The keyboard shortcuts of every page.
import { Dialog } from "./parts/dialog.tsx";

const shortcuts = [
  ["Ctrl K or ⌘ K", "Go to a page, a member or a clan, or do something"],
  ["↑ ↓ Enter", "Choose in a list or a menu"],
  ["← → Home End", "Move along a chart that is selected"],
  ["Esc", "Close a dialog or a menu"],
  ["?", "Show these shortcuts"],
] as const;

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2.5">
        {shortcuts.map(([keys, effect]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-md border border-line bg-sunken px-1.5 py-0.5 font-sans text-sm whitespace-nowrap">
                {keys}
              </kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
