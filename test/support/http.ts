// Requests as a game server sends them, answers as it reads them.

export type Reply = { status: number; headers: Headers; body: any };
export type SentHeaders = Record<string, string>;
/** `body` as JSON, or as it is when it is text or bytes. */
export type Sent = { headers?: SentHeaders; body?: unknown };

export type Caller = {
  send(method: string, path: string, sent?: Sent): Promise<Reply>;
  post(path: string, body: unknown, headers?: SentHeaders): Promise<Reply>;
  get(path: string, headers?: SentHeaders): Promise<Reply>;
};

/** Calls the API on `port` with this key (null: with none). Paths follow on `base`. */
export function callerOf(port: number, key: string | null, base = ""): Caller {
  async function send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Reply> {
    const response = await fetch(`http://127.0.0.1:${port}${base}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: readBody(await response.text(), response.headers),
    };
  }
  return {
    send,
    post: (path, body, headers = {}) => send("POST", path, { body, headers }),
    get: (path, headers = {}) => send("GET", path, { headers }),
  };
}

/** JSON where the answer says that it is. */
export function readBody(text: string, headers: Headers): unknown {
  return text !== "" && /json/.test(headers.get("content-type") ?? "") ? JSON.parse(text) : text;
}
