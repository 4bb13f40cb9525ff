// R7: node:http alone doing what R6 does: the least that a service in Node costs.
import { createServer } from "node:http";
import { bareHandler } from "./bare-handler.ts";
import { listen } from "./serve.ts";

listen(createServer(bareHandler));
