// A response to a request, before it is written.

/** Alternating names and values, the form that Node's writeHead takes without converting. */
export type HeaderList = readonly string[];

/** JSON, unless `contentType` is given; a body that is text or bytes is sent unchanged. */
export type HttpResponse = {
  status: number;
  contentType?: string;
  /** The Content-Security-Policy of a page; without it a browser loads nothing. */
  policy?: string;
  /** The path always has this content. */
  isImmutable?: boolean;
  /** Of a body that may be stored and is compared before it is used; without either, a response is not stored. */
  etag?: string;
  headers?: HeaderList;
  body: unknown;
};
