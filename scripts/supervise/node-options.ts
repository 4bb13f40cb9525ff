// The memory options of Node for an API or a worker on a machine that also runs other programs. Node's default limits
// grow with the machine's memory, and so does uncollected memory: under full load 270 to 430 MiB on 24 GiB, and 230 MiB
// with these options, at the same speed. Half of the second value would save 30 MiB and cost 5 % of the speed
// (measured). Containers do not need the options, because Node uses their limit. `npm run api` and `npm run worker` set
// the same options in package.json.

/** Far above the memory that the bounds on requests, awards and batches permit. */
export const nodeOptions = ["--max-old-space-size=1024", "--max-semi-space-size=32"];
