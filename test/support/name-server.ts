// A name server that a stranger runs: it knows some names, and may respond to none of the questions about others.
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";

const [TYPE_A, TYPE_AAAA] = [1, 28];
const [RESPONSE, NO_SUCH_NAME] = [0x8180, 0x8183];
const HEADER_BYTES = 12;

/** Addresses in bytes: 4 or 16. `silent`: no response. `silent6`: none to the question about IPv6. */
type Known = readonly Uint8Array[] | "silent";
export type Names = Readonly<Record<string, Known | { silent6: readonly Uint8Array[] }>>;

export type NameServer = {
  /** It asks twice, and waits so long for a response. */
  newResolver: (timeoutMs?: number) => Resolver;
  questions: string[];
  close(): Promise<void>;
};

export async function startNameServer(names: Names): Promise<NameServer> {
  const questions: string[] = [];
  const socket = createSocket("udp4", (message, from) => {
    const { name, type, end } = questionIn(message);
    questions.push(name);
    const entry = names[name];
    const known = entry && "silent6" in Object(entry) ? (entry as { silent6: Known }).silent6 : (entry as Known);
    if (known === "silent" || (known !== entry && type === TYPE_AAAA)) return;
    const length = type === TYPE_A ? 4 : type === TYPE_AAAA ? 16 : 0;
    const answers = (known ?? []).filter((address) => address.length === length);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16BE(message.readUInt16BE(0), 0);
    header.writeUInt16BE(known ? RESPONSE : NO_SUCH_NAME, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    const records = answers.map((address) => {
      const record = Buffer.alloc(12);
      // The name of the question, its type, class IN, 60 s.
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt32BE(60, 6);
      record.writeUInt16BE(address.length, 10);
      return Buffer.concat([record, address]);
    });
    socket.send(Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...records]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    newResolver(timeoutMs = 200) {
      const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
      resolver.setServers([`127.0.0.1:${socket.address().port}`]);
      return resolver;
    },
    questions,
    async close() {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}

function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}
