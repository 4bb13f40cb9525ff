// What set-up downloads and runs: only what this repository names by its hash. Each stand-in serves something else
// under the right name.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../scripts/paths.js";
import { memoryServer } from "../../scripts/servers/memory-server.ts";
import { servers } from "../../scripts/servers/providers.ts";
import { findToolchain } from "../../scripts/setup/toolchain.js";
import { pipInstall } from "../../scripts/system/pip.ts";
import { run } from "../../scripts/system/run.js";
import { hasOpenssl, makeCertificates } from "../tls/certificates.ts";
import { listen } from "../support/listen.ts";
import { tempDir } from "../support/temp-dir.ts";

// npm and pip take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

type Served = { status?: number; body: string | Buffer };

/** Answers what `serve` says for a path; undefined: 404. */
async function standIn(serve: (path: string) => Served | undefined): Promise<{ url: string; requested: string[] }> {
  const requested: string[] = [];
  const server = createServer((req, res) => {
    const path = decodeURIComponent((req.url ?? "").split("?")[0] ?? "");
    requested.push(path);
    const { status = 200, body } = serve(path) ?? { status: 404, body: "" };
    const type = path.endsWith("/") ? "text/html" : "application/json";
    res.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
  });
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${await listen(server)}`, requested };
}

/** An archive with one program in it that leaves a mark when it is run. */
async function archiveOf(path: string, program: string): Promise<Buffer> {
  const dir = tempDir();
  mkdirSync(join(dir, path, ".."), { recursive: true });
  writeFileSync(join(dir, path), program, { mode: 0o755 });
  const packed = await run("tar", ["-cf", join(dir, "archive.tar"), "-C", dir, path.split("/")[0] ?? ""]);
  if (!packed.ok) throw new Error(packed.reason);
  return gzipSync(readFileSync(join(dir, "archive.tar")));
}

function stubEnv(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const log = (): void => {};

test("an npm that differs from the lockfile is rejected by its SHA-512 before it runs", async () => {
  const [cacheDir, mark] = [tempDir(), join(tempDir(), "mark")];
  const forged = await archiveOf("package/bin/npm-cli.js", `require("fs").writeFileSync(${JSON.stringify(mark)}, "")`);
  const lock = JSON.parse(readFileSync(join(root, "scripts/setup/toolchain/package-lock.json"), "utf8"));
  const { version, integrity } = lock.packages["node_modules/npm"];
  const { url, requested } = await standIn((path) => {
    if (path.endsWith(".tgz")) return { body: forged };
    // Its own description claims the right hash.
    const dist = { tarball: `${url}/npm/-/npm-${version}.tgz`, integrity };
    return path === "/npm"
      ? { body: JSON.stringify({ name: "npm", versions: { [version]: { name: "npm", version, dist } } }) }
      : undefined;
  });
  stubEnv({ npm_config_registry: url, npm_config_cache: tempDir(), npm_config_fetch_retries: "0" });
  await expect(findToolchain({ cacheDir, log })).rejects.toThrow(
    /package-lock\.json names, and nothing of it was run: .*EINTEGRITY/,
  );
  expect(requested).toContain(`/npm/-/npm-${version}.tgz`);
  expect([existsSync(mark), readdirSync(cacheDir)]).toStrictEqual([false, []]);
});

test("each archive of the toolchain has its SHA-512 in the lockfile", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "scripts/setup/toolchain/package-lock.json"), "utf8"));
  const archives = Object.entries<{ integrity?: string; inBundle?: boolean }>(packages).filter(
    ([path, { inBundle }]) => path !== "" && !inBundle,
  );
  expect(archives.map(([path]) => path)).toContain("node_modules/npm");
  expect(archives.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toStrictEqual([]);
  const source = readFileSync(join(root, "scripts/setup/toolchain.js"), "utf8");
  const named = [...source.matchAll(/"(node-[a-z0-9-]+)",$/gm)].map(([, name]) => `node_modules/${name}`);
  expect(named.length).toBeGreaterThan(2);
  expect(archives.map(([path]) => path)).toStrictEqual(expect.arrayContaining(named));
});

/** A package index with one wheel, which is a zip archive. */
async function wheelIndex(name: string, file: string): Promise<{ url: string; requested: string[] }> {
  const dir = tempDir();
  const script = `import zipfile; z = zipfile.ZipFile("${join(dir, file)}", "w")
z.writestr("forged.py", ""); z.writestr("${file.split("-").slice(0, 2).join("-")}.dist-info/METADATA", "Metadata-Version: 2.1\\nName: x\\nVersion: 1")
z.close()`;
  const made = await run("python3", ["-c", script]);
  if (!made.ok) throw new Error(made.reason);
  return standIn((path) => {
    if (path === `/simple/${name}/`) return { body: `<a href="/${file}">${file}</a>` };
    return path === `/${file}` ? { body: readFileSync(join(dir, file)) } : undefined;
  });
}

const pip = await run("python3", ["-m", "pip", "--version"]);

test.skipIf(!pip.ok)("a wheel that differs from the list is rejected by its SHA-256 and not unpacked", async () => {
  const { url, requested } = await wheelIndex("kubernetes-validate", "kubernetes_validate-1.37.0-py3-none-any.whl");
  stubEnv({ PIP_INDEX_URL: `${url}/simple`, PIP_NO_CACHE_DIR: "1", PIP_FIND_LINKS: "", PIP_RETRIES: "0" });
  const dir = tempDir();
  const list = join(root, "scripts/tools/kubernetes.txt");
  const failure = await pipInstall({ list, dir });
  expect(failure?.reason).toMatch(
    /kubernetes\.txt names, and nothing of it was unpacked: Expected sha256 8513\w+, Got \w{64}/,
  );
  expect(requested).toContain("/kubernetes_validate-1.37.0-py3-none-any.whl");
  expect(readdirSync(dir)).toStrictEqual([]);
});

test.skipIf(!pip.ok)("a package without a hash or without a wheel is not installed", async () => {
  const list = join(tempDir(), "list.txt");
  const index = await standIn((path) =>
    path === "/simple/some/" ? { body: `<a href="/some-1.0.tar.gz">some-1.0.tar.gz</a>` } : undefined,
  );
  stubEnv({ PIP_INDEX_URL: `${index.url}/simple`, PIP_NO_CACHE_DIR: "1", PIP_FIND_LINKS: "", PIP_RETRIES: "0" });
  for (const line of ["some==1.0", `some==1.0 --hash=sha256:${"0".repeat(64)}`]) {
    writeFileSync(list, line);
    expect((await pipInstall({ list, dir: tempDir() }))?.reason).toMatch(/hash|find a version/i);
  }
  expect(index.requested).not.toContain("/some-1.0.tar.gz");
});

test("every list of Python packages names exact versions with hashes", () => {
  const lists = ["servers/wheels/mongod", "servers/wheels/redis", "tools/kubernetes", "tools/gdscript"];
  for (const path of [...lists.map((name) => `scripts/${name}.txt`), "test/security/schemathesis.txt"]) {
    const text = readFileSync(join(root, path), "utf8").replaceAll("\\\n", " ");
    const packages = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(packages.length).toBeGreaterThan(0);
    for (const line of packages) expect(line).toMatch(/^[\w.-]+==[\w.]+( +--hash=sha256:[0-9a-f]{64})+ *$/);
  }
});

test("every optional package is installed on each Node that installs the packages of a first start", () => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const packages = Object.entries<{ optional?: true; engines?: { node?: string } }>(lock.packages);
  const newer = packages.filter(([, { optional, engines }]) => {
    const [, major, minor = 0] = /^(?:\^|>= ?)(\d+)(?:\.(\d+))?/.exec(engines?.node ?? ">=0") ?? [];
    return optional && !(Number(major) * 100 + Number(minor) <= 2_019);
  });
  expect(newer.map(([path, { engines }]) => [path, engines])).toStrictEqual([]);
});

/** What MongoDB publishes, from a stand-in: an archive whose mongod leaves a mark, and a checksum beside it. */
async function mongoDownloads(checksumOf: (archive: Buffer) => string): Promise<{ mark: string; requested: string[] }> {
  const mark = join(tempDir(), "mark");
  const archive = await archiveOf("mongodb/bin/mongod", `#!/bin/sh\n: > '${mark}'\necho 'db version v8.2.6'\n`);
  const { url, requested } = await standIn((path) => ({
    body: path.endsWith(".sha256") ? `${checksumOf(archive)}  ${path}\n` : archive,
  }));
  stubEnv({ MONGOMS_DOWNLOAD_MIRROR: url, MONGOMS_USE_HTTP: "true", HOME: tempDir() });
  return { mark, requested };
}

const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex");
const find = () => memoryServer().find({ cacheDir: tempDir(), mayFetch: true, log });

test("MongoDB's own download is used if it has the published checksum", async () => {
  const { mark } = await mongoDownloads(sha256);
  expect(await find()).toMatchObject({ found: { version: "8.2.6" } });
  expect(existsSync(mark)).toBe(true);
});

test("MongoDB's own download is rejected before it runs if it has another checksum", async () => {
  const { mark, requested } = await mongoDownloads((archive) => sha256(Buffer.concat([archive, Buffer.of(0)])));
  expect(await find()).toMatchObject({
    reason: expect.stringMatching(/not the one that MongoDB published, and nothing of it was unpacked/),
  });
  expect(requested.filter((path) => path.endsWith(".sha256"))).toHaveLength(1);
  expect(existsSync(mark)).toBe(false);
});

test.skipIf(!hasOpenssl())(
  "MongoDB's own download is rejected from a server with an untrusted certificate",
  async () => {
    const { cert, key } = makeCertificates();
    const requested: string[] = [];
    const server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, (req, res) => {
      requested.push(req.url ?? "");
      res.end();
    });
    onTestFinished(() => void server.close());
    stubEnv({ MONGOMS_DOWNLOAD_MIRROR: `https://127.0.0.1:${await listen(server)}`, HOME: tempDir() });
    expect(await find()).toMatchObject({ reason: expect.stringMatching(/unable to verify|self.signed|certificate/i) });
    expect(requested).toStrictEqual([]);
  },
);

test("the mongod of another project's package is the last provider that is tried", () => {
  const { providers } = servers.mongod;
  expect(providers.map(({ title }) => title)).toStrictEqual(["PATH", "Docker", "mongodb-memory-server", "PyPI"]);
});
