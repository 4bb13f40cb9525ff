// Downloads mongod as MongoDB publishes it for this system, with mongodb-memory-server-core. By default, that package
// verifies neither the server's certificate nor the archive; here both are verified before anything is unpacked. Run as
// `node scripts/servers/fetch-mongod.ts <folder to work in> <file>`.

import { createHash } from "node:crypto";
import { createReadStream, readFileSync, renameSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { DryMongoBinary } from "mongodb-memory-server-core/lib/util/DryMongoBinary.js";
import { MongoBinaryDownload } from "mongodb-memory-server-core/lib/util/MongoBinaryDownload.js";
import { DEFAULT_VERSION } from "mongodb-memory-server-core/lib/util/resolveConfig.js";
import { messageOf } from "../system/message-of.js";

/**
 * The package calls this hook between download and unpacking, with the address of the MD5 that MongoDB publishes beside
 * the archive.
 */
class CheckedDownload extends MongoBinaryDownload {
  override async makeMD5check(md5Url: string, archive: string): Promise<true> {
    const published = readFileSync(await this.download(md5Url.replace(/\.md5$/, ".sha256")), "utf8")
      .trim()
      .split(/\s/)[0];
    const hash = createHash("sha256");
    await pipeline(createReadStream(archive), hash);
    const got = hash.digest("hex");
    if (got === published) return true;
    throw new Error(
      `the archive is not the one that MongoDB published, and nothing of it was unpacked: SHA-256 ${got}, published ${published}`,
    );
  }
}

// Without this option, the package does not verify the certificate of the download server.
process.env["npm_config_strict_ssl"] = "true";
try {
  const [, , downloadDir = "", file = ""] = process.argv;
  const options = await DryMongoBinary.generateOptions({ version: DEFAULT_VERSION });
  renameSync(await new CheckedDownload({ ...options, downloadDir }).getMongodPath(), file);
} catch (error) {
  console.error(`Error: ${messageOf(error).replaceAll("\n", " ")}`);
  process.exitCode = 1;
}
