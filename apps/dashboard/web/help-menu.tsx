// The menu Help: the guide of the page, all documentation, keyboard shortcuts (also by the key ?), and the version.
import { CircleQuestionMark } from "lucide-react";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { useMatch } from "react-router";
import type { Me } from "#contract/dashboard/account.ts";
import { FrameMenu } from "./frame-menu.tsx";
import { lazyPart } from "./lazy-part.ts";
import { guideOf } from "./page-guides.ts";
import { closeMenus } from "./parts/close-menus.ts";

const ShortcutsDialog = lazyPart(() => import("./shortcuts-dialog.tsx").then((m) => m.ShortcutsDialog));
const ITEM = "rounded-lg px-2.5 py-1.5 text-left hover:bg-sunken";

export function HelpMenu({ me: { docsUrl, version } }: { me: Me }) {
  const ofClan = useMatch("/clans/:clanId/:page/*")?.params.page;
  const other = useMatch("/:page")?.params.page;
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key === "?" && !isTyping(event.target) && document.querySelector("[role=dialog]") === null)
        setIsOpen(true);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <FrameMenu
        id="help"
        label="Help"
        icon={<CircleQuestionMark aria-hidden="true" size={20} className="shrink-0" />}
        text="Help"
      >
        {docsUrl === null ? null : (
          <>
            <DocsLink to={`${docsUrl}/how-to/${guideOf(ofClan ?? other)}`}>Guide of this page</DocsLink>
            <DocsLink to={docsUrl}>Documentation</DocsLink>
          </>
        )}
        <button
          type="button"
          onClick={() => {
            closeMenus();
            setIsOpen(true);
          }}
          className={ITEM}
        >
          Keyboard shortcuts
        </button>
        <p className="px-2.5 pt-1 text-sm text-muted">Clan XP {version}</p>
      </FrameMenu>
      <Suspense>{isOpen ? <ShortcutsDialog onClose={() => setIsOpen(false)} /> : null}</Suspense>
    </>
  );
}

function DocsLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noreferrer" onClick={closeMenus} className={ITEM}>
      {children}
    </a>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
