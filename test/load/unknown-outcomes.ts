// What an API counted of requests whose fate nobody knows: the difference there may be between answers and books.

/** To how many requests of this process it was said that nobody knows whether they took effect. */
export async function unknownOutcomes(opsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  return Number(/^clanxp_problems_total\{code="outcome_unknown"[^}]*\} (\d+)/m.exec(metrics)?.[1] ?? 0);
}
