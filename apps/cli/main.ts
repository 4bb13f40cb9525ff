// `clanxp`: the process around one command. It reads the environment and sets the exit code; everything else is run-cli.
import { runCli } from "./run-cli.ts";

/** A connection that does not close must not keep the process; the answer is written by then. */
const LINGER_MS = 1_000;

// Whoever reads may stop reading, as `clanxp clan list | head -1` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

process.exitCode = await runCli({ args: process.argv.slice(2), env: process.env, stdout: process.stdout, stderr: process.stderr });
setTimeout(() => process.exit(), LINGER_MS).unref();
