// The Express app through which every request goes. Express gives each request and answer another prototype, after
// which V8 handles them slowly wherever they go; these are made with that prototype from the start, so that Express
// changes nothing (docs/decisions/0023).
import express, { type Express } from "express";
import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";

/** What the server needs: who answers, and what it makes of each request. */
export type ServedApp = { listener: RequestListener; classes: MessageClasses };
export type MessageClasses = {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse<IncomingMessage>;
};

export function makeExpressApp(): { app: Express; classes: MessageClasses } {
  const app = express();
  app.disable("x-powered-by");
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { app, classes: { IncomingMessage: Request, ServerResponse: Response } };
}
