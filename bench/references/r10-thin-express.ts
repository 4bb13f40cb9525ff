// R10: R7's handler as a route of the Express app that the API serves: what it costs more is what Express costs.
import { createServer } from "node:http";
import { makeExpressApp } from "#http/express-app.ts";
import { bareHandler } from "./bare-handler.ts";
import { listen } from "./serve.ts";

const { app, served } = makeExpressApp();
app.post("/v0/clans/:clanId/members/:platformId/xp", bareHandler);
listen(createServer(served.classes, served.listener));
