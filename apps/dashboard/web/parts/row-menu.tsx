// The menu of a row or of a page, with actions that are needed seldom.
import { Menu } from "@base-ui/react/menu";

type Props = { label: string; actions: readonly { label: string; onChoose(): void }[] };

export function RowMenu({ label, actions }: Props) {
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={label}
        className="inline-flex min-h-8 min-w-8 items-center justify-center rounded-lg border border-transparent font-semibold text-muted hover:bg-sunken data-popup-open:bg-sunken"
      >
        <span aria-hidden="true">⋯</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-20">
          <Menu.Popup className="min-w-36 rounded-lg border border-line bg-panel p-1 shadow-md">
            {actions.map((action) => (
              <Menu.Item
                key={action.label}
                onClick={action.onChoose}
                className="cursor-pointer rounded-md px-3 py-1.5 outline-none data-highlighted:bg-sunken"
              >
                {action.label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
