// What the holder of one key may do to a service. "bodies": bodies that arrive very slowly, large bodies of numbers,
// floods of empty batches. "lists": long lists with all that they can include, and names of many symbols. A separate
// process, so that it does not slow the caller that the test measures. Begins on the message "on", and stops everything
// on "off".
import { connect, type Socket } from "node:net";
import { CHUNKED, requestText, type Header } from "../support/raw-http.ts";

const [, , kind, portText, clanId, key] = process.argv;
const port = Number(portText);
const headers: Header[] = [
  ["Authorization", `Bearer ${key}`],
  ["Content-Type", "application/json"],
  ["Prefer", "respond-async"],
];
const batch = (body: string, ...more: Header[]): string =>
  requestText("POST", `/v0/clans/${clanId}/xp`, [...headers, ...more], body);

/** 256 KiB of numbers in a field that is ignored, one of them too long to be taken at its word. */
const numbers = batch(`{"awards":[],"ignored":[1.0000000000000000001${",1".repeat(130_000)}]}`);
const slow = batch("1\r\n{\r\n", CHUNKED);
const empty = batch('{"awards":[]}').repeat(10);

const NAMES_AT_ONCE = 4;
const EMOJI = Array.from({ length: 128 }, (_, index) => String.fromCodePoint(0x1f300 + index));
/** Two for each member, so that each call changes all of them. */
const names = [0, 64].map((from) => {
  const name = EMOJI.slice(from, from + 64).join("");
  const entries = Array.from({ length: 100 }, (_, index) => ({ platformId: `m${index}`, name }));
  return requestText("POST", `/v0/clans/${clanId}/names`, headers, JSON.stringify({ names: entries }));
});
const LISTS_AT_ONCE = 16;
const list = requestText("GET", `/v0/clans/${clanId}/members?around=m5&limit=200&include=name,position`, headers);

/** All three kinds of bodies together stay within the 500 requests per second that a key has by default. */
const SLOW_EVERY_MS = 4;
const EMPTY_BLOCK_EVERY_MS = 500;
const LARGE_BODIES_AT_ONCE = 16;

const sockets = new Set<Socket>();
let timers: NodeJS.Timeout[] = [];

function open(text: string): Socket {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  sockets.add(socket);
  socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  socket.write(text);
  return socket;
}

/** One of these requests again whenever there is an answer, for as long as the connection lasts. */
function keepSending(...texts: string[]): void {
  let sent = 0;
  const next = (): string => texts[sent++ % texts.length] ?? "";
  const socket = open(next());
  socket.on("data", (bytes) => bytes.includes("HTTP/1.1 ") && socket.write(next()));
  socket.on("close", () => timers.length > 0 && setTimeout(keepSending, 100, ...texts));
}

function sendBodies(): void {
  const batches = open(empty).resume();
  timers = [
    setInterval(() => open(slow).resume(), SLOW_EVERY_MS),
    setInterval(() => batches.writable && batches.write(empty), EMPTY_BLOCK_EVERY_MS),
  ];
  for (let line = 0; line < LARGE_BODIES_AT_ONCE; line += 1) keepSending(numbers);
}

function sendLists(): void {
  for (let line = 0; line < LISTS_AT_ONCE; line += 1) keepSending(list);
  for (let line = 0; line < NAMES_AT_ONCE; line += 1) keepSending(...names);
}

process.on("message", (message) => {
  for (const timer of timers) clearInterval(timer);
  timers = [];
  for (const socket of sockets) socket.destroy();
  if (message === "off") return;
  if (kind === "bodies") sendBodies();
  else sendLists();
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
