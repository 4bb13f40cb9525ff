// Examples of code, one for each language, to be copied.
import { Tabs } from "@base-ui/react/tabs";
import { useId } from "react";
import { CopyButton } from "./copy-button.tsx";

/** `texts`: by the name of the language; the first one is shown first. */
export function SnippetTabs({ texts }: { texts: Readonly<Record<string, string>> }) {
  const names = Object.keys(texts);
  const id = useId();
  return (
    <Tabs.Root defaultValue={names[0]} className="min-w-0">
      <Tabs.List aria-label="Example for" className="mb-2 flex gap-1">
        {names.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="rounded-lg px-3 py-1 font-medium text-muted data-active:bg-sunken data-active:text-ink"
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(texts).map(([name, text]) => (
        <Tabs.Panel key={name} value={name} className="rounded-lg bg-sunken p-3">
          {/* With the keyboard, the arrow keys scroll it. */}
          <pre
            id={`${id}-${name}`}
            tabIndex={0}
            role="region"
            aria-label={`${name} example`}
            className="max-h-72 overflow-auto font-mono text-sm"
          >
            {text}
          </pre>
          <div className="mt-2 flex flex-wrap justify-end">
            <CopyButton text={text} label={`Copy the ${name} example`} shownIn={`${id}-${name}`}>
              Copy
            </CopyButton>
          </div>
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
