import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { cacheDir, root } from "../../scripts/paths.js";
import { robloxModel } from "#export/roblox-model.ts";
import { buildRelease, type Asked, type Release } from "../../scripts/release/build-release.ts";
import { releaseIn } from "../../scripts/release/changelog.ts";
import { parts } from "../../scripts/release/parts.ts";
import { messageOf } from "../../scripts/system/message-of.js";
import { foundOrNull } from "../deploy/tool.ts";
import { readPage } from "../support/docs-page.ts";
import { tempDir, useTempDir } from "../support/temp-dir.ts";
import { makeTaggedClone, VERSIONS, WRONG_TAG } from "./tagged-clone.ts";

const folder = useTempDir();
const git = await makeTaggedClone(folder);
afterEach(() => vi.unstubAllEnvs());

/** Parts that take minutes, or need what not every machine has. */
const SLOW = ["image", ...((await foundOrNull("helm")) ? [] : ["chart"])];
const TAG = `v${VERSIONS.service}`;
const logged: string[] = [];

async function build(asked: Partial<Asked> = {}): Promise<{ release: Release; out: string }> {
  const out = asked.out ?? join(tempDir(), "release");
  const log = (line: string): number => logged.push(line);
  const given = { root: folder, cacheDir, tag: TAG, out, skip: SLOW, publish: [], env: {}, log, ...asked };
  return { release: await buildRelease(given), out };
}

const allBut = (...names: string[]): string[] => Object.keys(parts).filter((part) => !names.includes(part));

/** The status of each part. */
const statuses = ({ results }: Release): Record<string, string> =>
  Object.fromEntries(results.map(({ part, status }) => [part, status]));

const list = (command: string, ...args: string[]): string[] =>
  execFileSync(command, args, { encoding: "utf8" }).trim().split("\n").toSorted();

test("a tag gives the same bytes twice, from its own files alone", { timeout: 120_000 }, async () => {
  const env = { RELEASE_REPOSITORY: "https://code.example/clanxp" };
  const first = await build({ env });
  const second = await build({ env });
  expect(second.release).toStrictEqual(first.release);
  expect(statuses(first.release)).toStrictEqual(
    Object.fromEntries(Object.keys(parts).map((part) => [part, SLOW.includes(part) ? "skipped" : "made"])),
  );
  const files = readdirSync(first.out);
  expect(files.toSorted()).toStrictEqual(
    ["RELEASE-NOTES.md", "SHA256SUMS", ...first.release.results.flatMap((result) => result.files)].toSorted(),
  );
  const read = (file: string): string => readFileSync(join(first.out, file), "utf8");
  expect(readFileSync(join(second.out, "SHA256SUMS"), "utf8")).toBe(read("SHA256SUMS"));
  const changes = releaseIn(git("show", `${TAG}:CHANGELOG.md`), VERSIONS.service) ?? "";
  expect(read("RELEASE-NOTES.md")).toBe(
    `${changes.replaceAll(/\]\((?!https?:)/g, "](https://code.example/clanxp/blob/v9.0.0/")}\n`,
  );
  const components = JSON.parse(read(`clanxp-${VERSIONS.service}.cdx.json`));
  expect(components).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { version: VERSIONS.service } } });
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const named = new Set<string>(components.components.map((each: { purl: string }) => each.purl));
  expect(named).toContain(`pkg:npm/express@${dependencies.express}`);
  expect(named).not.toContain(`pkg:npm/vitest@${devDependencies.vitest}`);

  const zip = join(first.out, `clanxp-luau-${VERSIONS.luau}.zip`);
  expect(list("unzip", "-Z1", zip).filter((name) => !name.endsWith("/"))).toStrictEqual(
    ["CHANGELOG.md", "LICENSE", "README.md", "default.project.json", "src/init.luau", "wally.toml"].toSorted(),
  );
  const source = git("show", `${TAG}:clients/luau/src/init.luau`);
  expect(execFileSync("unzip", ["-p", zip, "src/init.luau"], { encoding: "utf8" })).toBe(source);
  const model = readFileSync(join(first.out, `ClanXP-${VERSIONS.luau}.rbxm`));
  expect(model.equals(robloxModel("ClanXP", source))).toBe(true);
  const tarball = join(first.out, `clanxp-client-${VERSIONS.typescript}.tgz`);
  expect(list("tar", "-tzf", tarball)).toContain("package/dist/index.cjs");
  const manifest = JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }));
  expect(manifest).toMatchObject({ repository: { url: "git+https://code.example/clanxp.git" } });
  const [, verify = ""] = /^ {4}(sha256sum .*)$/m.exec(readPage("docs/reference/published.md")) ?? [];
  const verified = execFileSync("sh", ["-c", verify], { cwd: first.out, encoding: "utf8" });
  expect(verified.match(/: OK$/gm)).toHaveLength(files.length - 1);
});

test("a tag that its content does not match is rejected with every fault, and nothing is made", async () => {
  const out = join(tempDir(), "release");
  await expect(build({ tag: WRONG_TAG, out })).rejects.toThrow(
    [
      "v9.9.9 cannot be released:",
      ...["package.json", "package-lock.json", "Dockerfile", "deploy/helm/clanxp/Chart.yaml"].map(
        (file) => `${file} has the version 9.0.0, not 9.9.9.`,
      ),
      "docs/how-to/kubernetes.md has the version 9.0.0, not 9.9.9.",
      "CHANGELOG.md has no section for 9.9.9.",
    ].join("\n  "),
  );
  await expect(build({ tag: "v9.9.8", out })).rejects.toThrow('There is no tag "v9.9.8"');
  await expect(build({ tag: "--output=x", out })).rejects.toThrow("v1.2.3, luau-v1.2.3, typescript-v1.2.3");
  expect(existsSync(out)).toBe(false);
});

test("a client with changes that it has not released cannot be in a release, unless it is skipped", async () => {
  const next = "luau-unreleased";
  git("worktree", "add", "--quiet", "--detach", next, TAG);
  const changelog = join(folder, next, "clients/luau/CHANGELOG.md");
  writeFileSync(changelog, readFileSync(changelog, "utf8").replace("## Unreleased\n", "## Unreleased\n\n- New.\n"));
  git("-C", next, "commit", "--quiet", "--all", "--message", "Change the client");
  git("-C", next, "tag", "v9.9.7");
  const fault = 'clients/luau/CHANGELOG.md has changes under "Unreleased".';
  const messageWith = (skip: string[]): Promise<string> => build({ tag: "v9.9.7", skip }).then(String, messageOf);
  expect(await messageWith([])).toContain(fault);
  const skipped = await messageWith(["wally", "rbxm"]);
  expect(skipped).toContain("v9.9.7 cannot be released:\n  package.json has the version 9.0.0");
  expect(skipped).not.toContain(fault);
});

test("the tag of a client releases this client only, with its own notes", async () => {
  const { release, out } = await build({ tag: `luau-v${VERSIONS.luau}`, skip: ["rbxm"], publish: ["image"] });
  expect(statuses(release)).toStrictEqual({ wally: "made", rbxm: "skipped" });
  expect(readdirSync(out).toSorted()).toStrictEqual(["RELEASE-NOTES.md", "SHA256SUMS", "clanxp-luau-9.1.0.zip"]);
  expect(readFileSync(join(out, "RELEASE-NOTES.md"), "utf8")).toMatch(/^- A change of this test\.\n/);
});

test("a part whose tool is missing is named with the reason, the others are made, and nothing is published", async () => {
  const bin = join(tempDir(), "bin");
  mkdirSync(bin);
  for (const name of ["git", "tar"])
    symlinkSync(execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), join(bin, name));
  // It would succeed at everything.
  writeFileSync(join(bin, "wally"), "#!/bin/sh\n", { mode: 0o755 });
  vi.stubEnv("PATH", bin);
  vi.stubEnv("DOCKER_ENGINE_TOOL", "");
  const { release } = await build({ skip: allBut("image", "wally"), publish: ["wally"] });
  expect(release.results.filter(({ status }) => status !== "skipped")).toStrictEqual([
    { part: "wally", status: "made", files: ["clanxp-luau-9.1.0.zip"] },
    { part: "image", status: "missing", files: [], reason: "no Docker engine responds: docker is not installed" },
  ]);
  expect(logged).toContain("Nothing was published, because a part could not be made.");
});

test("what could not be published is named with the reason, and what was made remains", async () => {
  const bin = tempDir();
  const fails = '[ "$1" = --version ] || { echo "error: not logged in"; exit 1; }';
  writeFileSync(join(bin, "wally"), `#!/bin/sh\n${fails}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", [bin, process.env["PATH"]].join(delimiter));
  const asked = { tag: `luau-v${VERSIONS.luau}`, skip: ["rbxm"], publish: ["wally"] };
  const { release, out } = await build(asked);
  expect(release.results.find(({ part }) => part === "wally")).toStrictEqual({
    part: "wally",
    status: "failed",
    files: ["clanxp-luau-9.1.0.zip"],
    reason: "it was made, but could not be published: wally publish: error: not logged in",
  });
  expect(readdirSync(out)).toContain("clanxp-luau-9.1.0.zip");
  writeFileSync(join(bin, "wally"), "#!/bin/sh\n", { mode: 0o755 });
  const { release: published } = await build(asked);
  expect(published.results.find(({ part }) => part === "wally")).toMatchObject({ published: "clanxp/clanxp@9.1.0" });
});

test("a part that cannot be published is rejected before anything is made", async () => {
  const path = process.env["PATH"]?.split(delimiter) ?? [];
  vi.stubEnv("PATH", path.filter((each) => !existsSync(join(each, "wally"))).join(delimiter));
  const out = join(tempDir(), "release");
  const asked = { out, skip: ["rbxm", "npm"], publish: ["image", "chart", "npm", "sbom", "wally"] };
  await expect(build(asked)).rejects.toThrow(
    [
      "Nothing was made or published:",
      "RELEASE_IMAGE must name the place where image is published.",
      "RELEASE_CHARTS must name the place where chart is published.",
      "npm cannot be both skipped and published.",
      "sbom is not published: attach its files to the release.",
      "wally cannot be published here: wally is not installed.",
    ].join("\n  "),
  );
  expect(existsSync(out)).toBe(false);
});

test("a folder with other files is not written to", async () => {
  const out = tempDir();
  writeFileSync(join(out, "mine.txt"), "");
  await expect(build({ out })).rejects.toThrow("is not empty");
  expect(readdirSync(out)).toStrictEqual(["mine.txt"]);
});

test("the command explains itself, and its exit codes say what was wrong", () => {
  const run = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [join(root, "scripts/release/main.ts"), ...args], { cwd: root, encoding: "utf8" });
  const help = run("--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  const options = [...readPage("docs/contributing/release.md").matchAll(/^\| `(--[a-z]+)/gm)].map(([, name]) => name);
  expect(options.length).toBeGreaterThan(3);
  for (const option of options) expect(help.stdout).toContain(`\n  ${option} `);
  const usage = "usage: npm run release";
  for (const args of [[], ["build"], ["build", "v1.0.0", "more"], ["build", "v1.0.0", "--push"]])
    expect(run(...args)).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining(usage) });
  const unknown = expect.stringMatching(/^There is no part "imag"/);
  expect(run("build", TAG, "--skip", "imag")).toMatchObject({ status: 2, stderr: unknown });
  expect(run("build", "v0.0.0", "--out", join(tempDir(), "release"))).toMatchObject({
    status: 1,
    stdout: "",
    stderr: `There is no tag "v0.0.0" in ${root}.\n`,
  });
});
