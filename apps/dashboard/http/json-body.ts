// Reads the body of a request. The route calls this after it has checked that the caller is permitted to make the
// request.
import express, { type Request, type Response } from "express";
import { DashboardError } from "./dashboard-error.ts";

/** The largest change, a clan's 100 ranks, takes a tenth of this size. */
const BODY_LIMIT = "128kb";
const parseJson = express.json({ limit: BODY_LIMIT, inflate: false });

/** Throws DashboardError, or the parser's own error. */
export async function readJsonBody(req: Request, res: Response): Promise<unknown> {
  if (!req.is("application/json")) {
    throw new DashboardError(
      "unsupported_media_type",
      "The request body must be JSON (Content-Type: application/json).",
    );
  }
  await new Promise<void>((resolve, reject) => {
    parseJson(req, res, (error?: Error) => (error === undefined ? resolve() : reject(error)));
  });
  return req.body;
}
