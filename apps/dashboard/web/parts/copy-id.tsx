// An id that a click copies completely, even if it is shown shortened.
import { copyText } from "./copy-text.ts";
import { useToast } from "./toasts.tsx";

/** An id up to this length takes one line. */
const SHORT_CHARS_MAX = 24;

/** `what`: such as "award ID". `chars`: how many of them are shown. */
export function CopyId({ id, what, chars = Infinity }: { id: string; what: string; chars?: number }) {
  const toast = useToast();
  const isShortened = id.length > chars;
  const isWhole = isShortened || id.length <= SHORT_CHARS_MAX;
  async function copy(): Promise<void> {
    const isCopied = await copyText(id);
    toast(
      isCopied
        ? { title: "Copied", description: id }
        : { title: "Copying failed", description: `Copy it yourself: ${id}` },
    );
  }
  return (
    <button
      type="button"
      title={`${id} (select to copy)`}
      onClick={() => void copy()}
      className={`max-w-full rounded px-1 py-0.5 [text-align:inherit] font-mono text-sm font-normal hover:bg-sunken ${isWhole ? "whitespace-nowrap" : "wrap-anywhere"}`}
    >
      <span className="sr-only">Copy {what} </span>
      {isShortened ? `${id.slice(0, chars)}…` : id}
    </button>
  );
}
