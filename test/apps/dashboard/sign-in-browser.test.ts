// Signing in without a password, in a real browser with a virtual authenticator.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page, Request } from "playwright-core";
import { expectReadable, expectUsable, noBrowser, useBrowser } from "./browser.ts";
import { startProvider, type TestProvider } from "./identity-provider.ts";
import { PASSWORD, tokenIn, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();

describe.skipIf(noBrowser !== null)("sign-in without a password", { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let clanId: string;
  /** By its host name: browsers make no passkeys for addresses. */
  let url: string;
  let provider: TestProvider;
  let withProvider: string;
  beforeAll(async () => {
    provider = await startProvider();
    clanId = (await dashboard.world.makeClan()).clan.clanId;
    url = dashboard.url.replace("127.0.0.1", "localhost");
    withProvider = (await dashboard.startAnother({ changes: { oidc: provider.oidc } })).replace(
      "127.0.0.1",
      "localhost",
    );
    provider.register([withProvider]);
  }, 120_000);
  afterAll(() => provider?.close());

  /** A person whose device verifies them immediately. */
  async function openWithAuthenticator(): Promise<Page> {
    const page = await browser.open();
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    const options = {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
    } as const;
    const honest = { isUserVerified: true, automaticPresenceSimulation: true } as const;
    await session.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, ...honest } });
    return page;
  }

  const overview = (page: Page) => page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

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
    await page.getByLabel("Name").fill("ada");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await overview(page);

    await page.goto(`${url}/account`);
    await page.getByRole("button", { name: "Add passkey" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Ada's laptop");
    await dialog.getByLabel("Current password").fill("not the password");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("Current password is incorrect").waitFor();
    await expectReadable(page);
    await dialog.getByLabel("Current password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("row", { name: /Ada's laptop.*never/ }).waitFor();
    await expectUsable(page);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${url}/`);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await overview(page);
    await page.goto(`${url}/account`);
    await page.getByRole("row", { name: /Ada's laptop.*now/ }).waitFor();

    await page.getByRole("button", { name: "Remove Ada's laptop" }).click();
    await dialog.getByLabel("Current password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Remove passkey" }).click();
    await page.getByText("No passkeys yet.").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("alert").getByText("This passkey does not sign in to any account.").waitFor();
  });

  test("lets an invited person accept with a passkey and without a password", async () => {
    const { answer } = await dashboard.cli.json("account", "invite", "bob", "--clan", clanId, "--role", "viewer");
    const page = await openWithAuthenticator();
    await page.goto(`${url}/link#${tokenIn(answer)}`);
    await page.getByRole("button", { name: "Create a passkey" }).waitFor();
    await expectReadable(page);
    await page.getByRole("button", { name: "Create a passkey" }).click();
    await overview(page);
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
      await page.getByRole("button", { name: "Continue with Test ID" }).click();
      await page.getByLabel("Login").fill(login);
      await page.getByRole("button", { name: "Continue", exact: true }).click();
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
    await overview(page);
    await page.goto(`${withProvider}/account`);
    await page.getByText("Connected just now").waitFor();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await expectReadable(page);
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("the only way to sign in").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();

    await page.context().clearCookies();
    await page.getByRole("button", { name: "Continue with Test ID" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alert").getByText("was canceled").waitFor();
    await page.getByRole("heading", { name: "Not signed in" }).waitFor();
  });

  test("shows a message to a signed-in person who cancels at the provider, and lets them return", async () => {
    await dashboard.signedIn("hedy", "viewer", clanId);
    const page = await browser.openAs("hedy", `${withProvider}/account`);
    await page.getByRole("button", { name: "Connect" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Current password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Connect" }).click();
    await page.getByLabel("Login").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "Not connected" }).waitFor();
    await page.getByRole("link", { name: "Back to your account" }).click();
    await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
    expect(page.url()).toBe(`${withProvider}/account`);
  });

  test("is not offered with a passkey at an IP address, and the pages say where to open them", async () => {
    await dashboard.signedIn("eve", "viewer", clanId);
    const page = await openWithAuthenticator();
    await page.goto(dashboard.url);
    await page.getByLabel("Name").fill("eve");
    expect(await page.getByRole("button", { name: "Use a passkey" }).count()).toBe(0);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await overview(page);
    await page.goto(`${dashboard.url}/account`);
    await page.getByText(`open the dashboard as ${url}.`).waitFor();
    expect(await page.getByRole("button", { name: "Add passkey" }).isDisabled()).toBe(true);
  });
});
