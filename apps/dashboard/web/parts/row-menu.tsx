// The menu of a row or of a page, with actions and pages that are needed seldom.
import { Menu } from "@base-ui/react/menu";
import { Link } from "react-router";

export type MenuAction = { label: string } & ({ onChoose(): void } | { to: string });
type Props = { label: string; actions: readonly MenuAction[] };

const ITEM = "block cursor-pointer rounded-md px-3 py-1.5 outline-none data-highlighted:bg-sunken";

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
            {actions.map((action) =>
              "to" in action ? (
                <Menu.LinkItem key={action.label} closeOnClick render={<Link to={action.to} />} className={ITEM}>
                  {action.label}
                </Menu.LinkItem>
              ) : (
                <Menu.Item key={action.label} onClick={action.onChoose} className={ITEM}>
                  {action.label}
                </Menu.Item>
              ),
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
