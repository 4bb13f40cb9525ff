// A receiver of OTLP traces over HTTP, as a collector is one: it decodes the protobuf of what it is sent and keeps the
// spans.
import { createServer } from "node:http";
import { gunzipSync } from "node:zlib";
import { listen } from "../support/listen.ts";

export type SpanRef = { traceId: string; spanId: string };
export type ReceivedSpan = SpanRef & {
  parentId: string;
  name: string;
  service: string;
  attributes: Record<string, string | number>;
  links: SpanRef[];
};
export type OtlpReceiver = {
  url: string;
  spans: ReceivedSpan[];
  headers: NodeJS.Dict<string | string[]>[];
  close(): Promise<void>;
};

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const body = Buffer.concat(chunks);
      headers.push(req.headers);
      if (req.url === "/v1/traces")
        spans.push(...spansIn(req.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body));
      res.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    spans,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Field numbers are those of opentelemetry/proto/trace/v1/trace.proto. */
function spansIn(request: Buffer): ReceivedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const service = attributesIn(all(one(resourceSpans, 1), 1))["service.name"] ?? "";
    return all(resourceSpans, 2).flatMap((scopeSpans) =>
      all(scopeSpans, 2).map((span) => ({
        traceId: one(span, 1).toString("hex"),
        spanId: one(span, 2).toString("hex"),
        parentId: one(span, 4).toString("hex"),
        name: one(span, 5).toString(),
        service: String(service),
        attributes: attributesIn(all(span, 9)),
        links: all(span, 13).map((link) => ({
          traceId: one(link, 1).toString("hex"),
          spanId: one(link, 2).toString("hex"),
        })),
      })),
    );
  });
}

function attributesIn(pairs: readonly Buffer[]): Record<string, string | number> {
  return Object.fromEntries(pairs.map((pair) => [one(pair, 1).toString(), valueIn(one(pair, 2))]));
}

function valueIn(any: Buffer): string | number {
  const text = all(any, 1)[0];
  const integer = fieldsOf(any).find((field) => field.number === 3);
  return text ? text.toString() : Number(integer?.value ?? Number.NaN);
}

type Field = { number: number; value: Buffer | bigint };

function all(message: Buffer, number: number): Buffer[] {
  return fieldsOf(message).flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  );
}
function one(message: Buffer, number: number): Buffer {
  return all(message, number)[0] ?? Buffer.alloc(0);
}

/** A protobuf message's fields: varints, fixed numbers, and everything else as bytes. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const bytes = (length: number): Buffer => message.subarray(at, (at += length));
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = BigInt(message[at++] ?? 0);
      value |= (byte & 127n) << shift;
      if (byte < 128n) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    switch (tag & 7) {
      case 0:
        fields.push({ number, value: varint() });
        break;
      case 1:
        fields.push({ number, value: bytes(8) });
        break;
      case 2:
        fields.push({ number, value: bytes(Number(varint())) });
        break;
      case 5:
        fields.push({ number, value: bytes(4) });
        break;
      default:
        throw new Error(`no protobuf: wire type ${tag & 7}`);
    }
  }
  return fields;
}
