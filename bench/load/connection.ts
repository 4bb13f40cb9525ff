// One keep-alive HTTP/1.1 connection with one request at a time, as cheap as Node allows: the load must not compete
// with what it measures.
import { connect } from "node:net";

/** How much of an answer is read in one step. */
const READ_BYTES = 16 * 1024;

export type Connection = {
  /** Sends a whole request; only once the one before was answered. */
  send(request: string): void;
  close(): void;
};

/** `onAnswer` receives the status of each answer; `onLost` the reason why there will be no more. */
export function openConnection(
  port: number,
  on: { open(): void; answer(status: number): void; lost(why: string): void },
): Connection {
  let head = "";
  let bodyLeft = -1;
  let status = 0;
  let isClosed = false;

  function take(length: number, buffer: Uint8Array): boolean {
    let start = 0;
    if (bodyLeft < 0) {
      const before = head.length;
      head += Buffer.from(buffer.buffer, buffer.byteOffset, length).toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return true;
      status = Number(head.slice(9, 12));
      const announced = /\r\ncontent-length: *(\d+)/i.exec(head);
      if (!announced || announced.index > end) return lose(`an answer ${status} without Content-Length`);
      bodyLeft = Number(announced[1]);
      start = end + 4 - before;
      head = "";
    }
    bodyLeft -= length - start;
    if (bodyLeft < 0) return lose("more bytes than the answer announced");
    if (bodyLeft === 0) {
      bodyLeft = -1;
      on.answer(status);
    }
    return true;
  }

  function lose(why: string): false {
    if (!isClosed) on.lost(why);
    isClosed = true;
    socket.destroy();
    return false;
  }

  const socket = connect({
    host: "127.0.0.1",
    port,
    noDelay: true,
    onread: { buffer: new Uint8Array(READ_BYTES), callback: take },
  });
  socket.once("connect", on.open);
  socket.on("error", (error) => lose(error.message));
  socket.on("close", () => lose("the connection was closed"));
  return {
    send: (request) => void socket.write(request, "latin1"),
    close() {
      isClosed = true;
      socket.destroy();
    },
  };
}
