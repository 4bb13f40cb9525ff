// A whole list of the dashboard, page by page.
import { expect } from "vitest";
import type { Visitor } from "./dashboard-world.ts";

/** All pages of a list, as they came. */
export async function pagesOf(person: Visitor, path: string): Promise<any[]> {
  const pages: any[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const next = cursor === "" ? "" : `${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
    const { status, body }: { status: number; body: any } = await person.get(path + next);
    expect(status).toBe(200);
    pages.push(body);
    cursor = body.nextCursor;
  }
  return pages;
}
