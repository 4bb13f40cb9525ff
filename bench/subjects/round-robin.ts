// A TCP proxy in its own process that hands out its connections to several ports in turn: what a balancer without
// affinity does.
import { connect, createServer } from "node:net";

const { PORT, TARGET_PORTS = "" } = process.env;
const targets = TARGET_PORTS.split(",").map(Number);
let next = 0;

createServer({ noDelay: true }, (caller) => {
  const port = targets[next % targets.length] ?? 0;
  next += 1;
  const target = connect({ host: "127.0.0.1", port, noDelay: true });
  caller.pipe(target).pipe(caller);
  const end = (): void => void (caller.destroy(), target.destroy());
  for (const socket of [caller, target]) socket.once("error", end).once("close", end);
}).listen(Number(PORT), "127.0.0.1");
