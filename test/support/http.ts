// Requests as a game server sends them, answers as it reads them.

export type Reply = { status: number; headers: Headers; body: any };

export type Caller = {
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
};

/** Calls the API on `port` with this key. A body that is no string is sent as JSON. */
export function callerOf(port: number, key: string): Caller {
  async function call(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
  return {
    post: (path, body, headers = {}) => call("POST", path, body, headers),
    get: (path, headers = {}) => call("GET", path, undefined, headers),
  };
}
