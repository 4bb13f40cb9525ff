// What a person does on a page again and again, by the names that they read there.
import type { Locator, Page } from "playwright-core";

type Part = Page | Locator;

/** Fills in fields by their labels: texts are typed, options are selected, and boxes are checked or not. */
export async function fill(part: Part, fields: Record<string, string | boolean>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = part.getByLabel(label, { exact: true });
    if (typeof value === "boolean") await field.setChecked(value);
    else if ((await field.evaluate<string, { tagName: string }>(({ tagName }) => tagName)) === "SELECT")
      await field.selectOption(value);
    else await field.fill(value);
  }
}

/** Fills in a form, and sends it with this button, or with Enter in its last field. */
export async function submit(part: Part, fields: Record<string, string | boolean>, button?: string): Promise<void> {
  await fill(part, fields);
  if (button !== undefined) return press(part, button);
  return part.getByLabel(Object.keys(fields).at(-1) ?? "", { exact: true }).press("Enter");
}

/** Clicks the button of this name. */
export function press(part: Part, name: string): Promise<void> {
  return part.getByRole("button", { name, exact: true }).click();
}

/** In the menu of the row, of the page, or of the first row. */
export async function chooseIn(rows: Locator, action: string): Promise<void> {
  const menu = rows.getByRole("button", { name: /^(?:Actions|More actions)/ });
  await menu.first().click();
  await rows.page().getByRole("menuitem", { name: action }).click();
}

/** Waits until the page of this heading shows. */
export function shows(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

/** By the navigation, where the link to it has the name of its heading. */
export async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
  await shows(page, name);
}

/** The menu of the person who is signed in. */
export function openAccountMenu(page: Page): Promise<void> {
  return page.getByRole("button", { name: /^Your account, / }).click();
}

export async function signOut(page: Page): Promise<void> {
  await openAccountMenu(page);
  await press(page, "Sign out");
}

/** The requests of a page to these addresses wait until the returned function is called. */
export async function hold(page: Page, addresses: RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}
