// Installs Python packages into a folder with pip: only wheels, so that no code runs during the installation, and only
// archives whose SHA-256 is in the list, which pip verifies before it unpacks.

import { run } from "./run.js";

/** The first one's Python is the one that runs what is installed. */
const PIPS = [["python3", "-m", "pip"], ["pip3"], ["pip"]];
const TIMEOUT_MS = 10 * 60_000;

export async function pipInstall({
  list,
  dir,
  build = [],
}: {
  /** A requirements file: each package with its exact version and its hashes. */
  list: string;
  dir: string;
  /** The build, if it is independent of the Python version that downloads it. */
  build?: string[];
}): Promise<{ reason: string } | undefined> {
  const only = ["--require-hashes", "--only-binary", ":all:", "--no-deps"];
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-compile", "--no-warn-script-location"];
  const reasons = [];
  for (const [pip = "pip", ...module] of PIPS) {
    const ended = await run(
      pip,
      [...module, "install", ...only, ...quiet, ...build, "--target", dir, "--requirement", list],
      {
        timeoutMs: TIMEOUT_MS,
      },
    );
    if (ended.ok) return undefined;
    const isForged = ended.output.includes("DO NOT MATCH THE HASHES");
    if (isForged)
      return {
        reason: `what pip fetched is not what ${list} names, and nothing of it was unpacked: ${forgery(ended.output)}`,
      };
    reasons.push(ended.reason);
    const isMissing = /is not installed$|No module named pip/.test(ended.reason);
    if (!isMissing) break;
  }
  return { reason: reasons.join(", ") };
}

function forgery(output: string) {
  const hashes = [...output.matchAll(/(Expected sha256|Got)\s+([0-9a-f]{64})/g)];
  return hashes.map(([, what, hash]) => `${what} ${hash}`).join(", ");
}
