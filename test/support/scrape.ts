// Metrics as Prometheus reads them, from a process's ops port.

export type Scraped = {
  /** Names with a HELP line: what is exported, whether or not it has a value now. */
  names: Set<string>;
  /** Each series, as its name with its labels (those of `process` left out), and its value. */
  series: Map<string, number>;
  text: string;
};

export async function scrape(opsPort: number): Promise<Scraped> {
  const response = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`/metrics answers ${response.status}: ${text}`);
  const series = new Map<string, number>();
  for (const [, name = "", labels = "", value] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    const remaining = labels.split(/,(?=\w+=")/).filter((label) => label !== "" && !label.startsWith("process="));
    series.set(remaining.length > 0 ? `${name}{${remaining.toSorted().join(",")}}` : name, Number(value));
  }
  return { names: new Set([...text.matchAll(/^# HELP (\w+) /gm)].map(([, name = ""]) => name)), series, text };
}
