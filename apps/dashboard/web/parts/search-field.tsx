// The search of a list, above it.
type Props = { label: string; placeholder: string; value: string; onChange(text: string): void; maxLength?: number };

export function SearchField({ label, onChange, ...input }: Props) {
  return (
    <input
      {...input}
      type="search"
      aria-label={label}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      spellCheck={false}
      className="field mb-5 max-w-sm"
    />
  );
}
