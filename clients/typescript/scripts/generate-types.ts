// `npm run generate` writes src/wire.ts: the types of what the API answers, from its OpenAPI document, which is derived
// from the endpoint table. It runs in a checkout of the whole repository, on Node 24.
import { writeFileSync } from "node:fs";
import { makeOpenApi } from "../../../libs/contract/openapi.ts";
import { wireTypes } from "./wire-types.ts";

writeFileSync(new URL("../src/wire.ts", import.meta.url), wireTypes(makeOpenApi()));
