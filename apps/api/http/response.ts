// What is answered to a request, before it is written.

/** Names and values by turns, as Node's writeHead takes them: of an object it would make them first. */
export type HeaderList = readonly string[];

/** JSON, where no other `contentType` is given; a body that is text or bytes already is sent as it is. */
export type HttpResponse = {
  status: number;
  contentType?: string;
  /** The Content-Security-Policy of a page; without it a browser loads nothing. */
  policy?: string;
  headers?: HeaderList;
  body: unknown;
};
