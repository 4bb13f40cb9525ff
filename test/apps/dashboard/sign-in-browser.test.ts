// Signing in without a password, in a real browser with a virtual authenticator.
import { afterAll, expect, test } from "vitest";
import type { Page, Request } from "playwright-core";
import { describePages, expectReadable, expectUsable } from "./browser.ts";
import { startProvider } from "./identity-provider.ts";
import { PASSWORD, tokenIn, useDashboard } from "./dashboard-world.ts";
import { fill, press, shows, signOut, submit } from "./steps.ts";

/** By its host name: browsers make no passkeys for addresses. */
const byName = (address: string): string => address.replace("127.0.0.1", "localhost");

const dashboard = await useDashboard();
const { clanId } = (await dashboard.world.makeClan()).clan;
const url = byName(dashboard.url);
const provider = await startProvider();
afterAll(() => provider.close());
const withProvider = byName(await dashboard.startAnother({ changes: { oidc: provider.oidc } }));
provider.register([withProvider]);

describePages("sign-in without a password", (browser) => {
  /** A person whose device verifies them immediately. */
  async function openWithAuthenticator(): Promise<Page> {
    const page = await browser.open({});
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    const device = { protocol: "ctap2", transport: "internal" } as const;
    const keeps = { hasResidentKey: true, hasUserVerification: true };
    const honest = { isUserVerified: true, automaticPresenceSimulation: true };
    await session.send("WebAuthn.addVirtualAuthenticator", { options: { ...device, ...keeps, ...honest } });
    return page;
  }

  test("loads less than 200 kB for the first page, and lets an owner add, use and remove a passkey", async () => {
    await dashboard.signedIn("ada", "owner", clanId);
    const page = await openWithAuthenticator();
    const requests: Request[] = [];
    page.on("requestfinished", (request) => requests.push(request));
    await page.goto(url);
    await page.getByRole("button", { name: "Use a passkey" }).waitFor();
    const sizes = await Promise.all(requests.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(200_000);
    await expectUsable(page);
    await submit(page, { "Name or e-mail": "ada", Password: PASSWORD }, "Sign in");
    await shows(page, "Overview");

    await page.goto(`${url}/account`);
    await press(page, "Add passkey");
    const dialog = page.getByRole("dialog");
    await submit(dialog, { Name: "Ada's laptop", "Current password": "not the password" }, "Add");
    await dialog.getByText("Current password is incorrect").waitFor();
    await submit(dialog, { "Current password": PASSWORD }, "Add");
    await page.getByRole("row", { name: /Ada's laptop.*never/ }).waitFor();
    await expectUsable(page);

    await signOut(page);
    await page.waitForURL(`${url}/`);
    await press(page, "Use a passkey");
    await shows(page, "Overview");
    await page.goto(`${url}/account`);
    await page.getByRole("row", { name: /Ada's laptop.*now/ }).waitFor();

    await press(page, "Remove Ada's laptop");
    await submit(dialog, { "Current password": PASSWORD }, "Remove passkey");
    await page.getByText("No passkeys yet.").waitFor();
    await signOut(page);
    await press(page, "Use a passkey");
    await page.getByRole("alert").getByText("This passkey does not sign in to any account.").waitFor();
  });

  test("lets an invited person accept with a passkey and without a password", async () => {
    const { answer } = await dashboard.cli.json("account", "invite", "bob", "--clan", clanId, "--role", "viewer");
    const page = await openWithAuthenticator();
    await page.goto(`${url}/link#${tokenIn(answer)}`);
    await page.getByRole("button", { name: "Create a passkey" }).waitFor();
    await expectReadable(page);
    await press(page, "Create a passkey");
    await shows(page, "Overview");
    await page.goto(`${url}/account`);
    await page.getByRole("heading", { name: "Set a password" }).waitFor();
    await page.getByRole("row", { name: /never/ }).waitFor();
  });

  test("lets only an invited person sign in at the provider, which is another site", async () => {
    await dashboard.cli.json("account", "invite", "grace@example.com", "--clan", clanId, "--role", "viewer");
    provider.people.set("g-1", { email: "grace@example.com", email_verified: true });
    const page = await browser.open();
    const continueAs = async (login: string) => {
      await page.goto(withProvider);
      await press(page, "Continue with Test ID");
      await submit(page, { Login: login }, "Continue");
    };
    await continueAs("nobody");
    await page.getByRole("alert").getByText("Ask an operator for an invitation.").waitFor();
    // Neither code nor state is left where the next person could go back to.
    expect(page.url()).toBe(`${withProvider}/oidc/callback`);
    await expectReadable(page);
    await page.getByRole("link", { name: "Back to the start" }).click();
    await page.getByRole("button", { name: "Continue with Test ID" }).waitFor();

    await page.context().clearCookies();
    await continueAs("g-1");
    await shows(page, "Overview");
    await page.goto(`${withProvider}/account`);
    await page.getByText("Connected just now").waitFor();
    await press(page, "Disconnect");
    await expectReadable(page);
    await press(page.getByRole("dialog"), "Disconnect");
    await page.getByText("the only way to sign in").waitFor();
    await press(page, "Cancel");
    await signOut(page);

    await page.context().clearCookies();
    await press(page, "Continue with Test ID");
    await press(page, "Cancel");
    await page.getByRole("alert").getByText("was canceled").waitFor();
    await page.getByRole("heading", { name: "Not signed in" }).waitFor();
  });

  test("shows a message to a signed-in person who cancels at the provider, and lets them return", async () => {
    await dashboard.signedIn("hedy", "viewer", clanId);
    const page = await browser.openAs("hedy", `${withProvider}/account`);
    await press(page, "Connect");
    const dialog = page.getByRole("dialog");
    await submit(dialog, { "Current password": PASSWORD }, "Connect");
    await page.getByLabel("Login").waitFor();
    await press(page, "Cancel");
    await page.getByRole("heading", { name: "Not connected" }).waitFor();
    await page.getByRole("link", { name: "Back to your account" }).click();
    await shows(page, "Account");
    expect(page.url()).toBe(`${withProvider}/account`);
  });

  test("is not offered with a passkey at an IP address, and the pages say where to open them", async () => {
    await dashboard.signedIn("eve", "viewer", clanId);
    const page = await openWithAuthenticator();
    await page.goto(dashboard.url);
    await fill(page, { "Name or e-mail": "eve" });
    expect(await page.getByRole("button", { name: "Use a passkey" }).count()).toBe(0);
    await submit(page, { Password: PASSWORD }, "Sign in");
    await shows(page, "Overview");
    await page.goto(`${dashboard.url}/account`);
    await page.getByText(`open the dashboard as ${url}.`).waitFor();
    expect(await page.getByRole("button", { name: "Add passkey" }).isDisabled()).toBe(true);
  });
});
