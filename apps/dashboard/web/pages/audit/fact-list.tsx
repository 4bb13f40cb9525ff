// The values before or after a change, from an audit record: a line for each field.
export function FactList({ facts }: { facts: Record<string, unknown> | null }) {
  if (facts === null) return <span className="text-muted">nothing</span>;
  return (
    <dl className="grid gap-0.5 text-sm">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt className="inline text-muted">{name} </dt>
          <dd className="inline wrap-anywhere">{factText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Lists and objects on one line: `name Recruit, kind NORMAL, threshold 100; name Elite, …`. */
function factText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.map((item: unknown) => factText(item)).join("; ");
  const fields = Object.entries(value as Record<string, unknown>);
  return fields.map(([name, field]) => `${name} ${factText(field)}`).join(", ");
}
