// How Node runs an API or a worker on a machine with memory for more than them. Its own bounds grow with the machine's
// memory, and so does what it leaves uncollected: under full load 270 to 430 MiB on 24 GiB, 230 with these, at the same
// speed. Half of the second would spare 30 MiB and cost a twentieth of the speed (measured). Containers need none of
// it: there Node goes by their limit. `npm run api` and `npm run worker` say the same in package.json.

/** Far above what the bounds of requests, awards and batches under way let them need. */
export const nodeOptions = ["--max-old-space-size=1024", "--max-semi-space-size=32"];
