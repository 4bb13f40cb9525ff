// A certificate authority of a test's own, and a certificate that it signs for 127.0.0.1. Made by openssl, which Node
// has no equal of.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Paths of files: the authority's certificate, and the server's certificate, key, and both in one. */
export type Certificates = { ca: string; cert: string; key: string; both: string };

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-tls-"));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const named = ["-days", "2", "-subj", "/CN=Clan XP test authority"];
  openssl("req", "-x509", ...newKey, "-keyout", "ca.key", "-out", "ca.crt", ...named);
  openssl("req", ...newKey, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=127.0.0.1");
  writeFileSync(file("names"), "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
  const sign = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
  openssl("x509", "-req", "-in", "server.csr", ...sign, "-out", "server.crt");
  const both = ["server.key", "server.crt"].map((name) => readFileSync(file(name), "utf8"));
  writeFileSync(file("server.pem"), both.join(""));
  return { ca: file("ca.crt"), cert: file("server.crt"), key: file("server.key"), both: file("server.pem") };
}

export function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    process.stdout.write("skipped what needs openssl: it is not installed\n");
    return false;
  }
}
