// The files of this checkout as a commit would have them, also those that are not committed yet: all, or those in some
// paths.
import { execFile } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/paths.js";

export async function copyCheckout(to: string, paths: string[] = []): Promise<void> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...paths];
  const { stdout } = await promisify(execFile)("git", args, { cwd: root });
  for (const file of stdout.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(to, file));
  }
}
