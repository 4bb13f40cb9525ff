// R10: R7's handler behind the Express app that the API serves: what it costs more is what Express costs.
import { createServer } from "node:http";
import { makeExpressApp } from "../../../apps/api/http/express-app.ts";
import { bareHandler } from "./bare-handler.ts";
import { listen } from "./serve.ts";

const { app, served } = makeExpressApp();
app.use(bareHandler);
listen(createServer(served.classes, served.listener));
