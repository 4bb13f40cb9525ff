// Password hashes: argon2id (RFC 9106) of node:crypto, written in the usual text form, so that the parameters may
// change later.
import crypto, { randomBytes, timingSafeEqual } from "node:crypto";
import { makeSlots } from "#async/slots.ts";
import { AppError } from "#kernel/app-error.ts";
import { promisify } from "node:util";
import type { Passwords } from "#accounts/ports.ts";

const ALGORITHM = "argon2id";
/** The minimum that OWASP recommends: 19 MiB and two passes, about 30 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Concurrent hashes: each takes one of the few threads that also resolve host names, and 19 MiB. */
const RUNNING_MAX = 2;
/** Waiting hashes: about half a second of work; further ones are rejected immediately. */
const WAITING_MAX = 32;

export function makePasswords(): Passwords {
  const slots = makeSlots({
    max: RUNNING_MAX,
    waitingMax: WAITING_MAX,
    full: () => new AppError("busy", "Too many sign-in attempts are in progress. Try again shortly."),
  });

  /** Composed and decomposed letters are the same password, because keyboards differ. Throws AppError `busy`. */
  function tagOf(
    password: string,
    nonce: Buffer,
    cost: { memory: number; passes: number; parallelism: number },
  ): Promise<Buffer> {
    return slots.run(() => {
      // Loaded on demand: Node has argon2id since 24.7, and everything else works with older versions of Node 24.
      const derive = promisify(crypto.argon2);
      return derive(ALGORITHM, { message: password.normalize("NFKC"), nonce, tagLength: TAG_BYTES, ...cost });
    });
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await tagOf(password, salt, COST);
      return `$${ALGORITHM}$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(tag)}`;
    },

    async verify(password, hash) {
      const [, memory, passes, parallelism, salt = "", tag = ""] = FORM.exec(hash ?? "") ?? [];
      if (memory === undefined) {
        // Takes as long as for an existing account, so that the time reveals nothing.
        await tagOf(password, randomBytes(SALT_BYTES), COST);
        return false;
      }
      const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
      const [expected, given] = [Buffer.from(tag, "base64"), await tagOf(password, Buffer.from(salt, "base64"), cost)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
