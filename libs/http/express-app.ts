// The Express app that handles every request. Express changes the prototype of each request and response, after which
// V8 handles them slowly everywhere. These are created with that prototype, so that Express changes nothing
// (docs/decisions/0023).
import express, { type Express } from "express";
import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";

/** What the server needs: the listener, and the classes of requests and responses. */
export type ServedApp = { listener: RequestListener; classes: MessageClasses };
export type MessageClasses = {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse<IncomingMessage>;
};

/** `targetOf`: of a request, as Express receives it. */
export function makeExpressApp(targetOf = originForm): { app: Express; served: ServedApp } {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  const listener: RequestListener = (req, res) => {
    req.url = targetOf(req.url ?? "");
    app(req, res);
  };
  return { app, served: { listener, classes: { IncomingMessage: Request, ServerResponse: Response } } };
}

/** A target that URL rules would leave unchanged: almost every target of a game server. */
const PLAIN_PATH = /^(?:\/(?!\.)[\w.:@~-]*)+$/;

/**
 * A request target as path and query, normalized by URL rules, also if it was sent as a whole URL (RFC 9112 3.2); `*`
 * for all others, because Express answers in HTML if it cannot parse a target (`http://[/`).
 */
export function originForm(target: string): string {
  if (PLAIN_PATH.test(target)) return target;
  const url = URL.parse(target.startsWith("/") ? `http://host${target}` : target);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.pathname + url.search : "*";
}

/**
 * The same with each `%` of the path encoded once more: Express decodes the parameters of a path while it looks for its
 * route, and finds none if that fails.
 */
export function encodedForm(target: string): string {
  const form = originForm(target);
  if (!form.includes("%")) return form;
  const [path = ""] = form.split("?", 1);
  return path.replaceAll("%", "%25") + form.slice(path.length);
}

/** The path as it was sent, of one in `encodedForm`. */
export function sentPathOf(path: string): string {
  return path.replaceAll("%25", "%");
}
