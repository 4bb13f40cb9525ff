// A list that the API returns in pages.
import type { Body, Config } from "./attempt.ts";
import { call } from "./call.ts";
import { checkInteger } from "./check.ts";
import type { CallOptions } from "./types.ts";
import { withQuery } from "./with-query.ts";

export const PAGE_SIZE_MAX = 200;

/** Every item of every page. `describe` checks the arguments and names the path of the list. */
export function readPages<Item>(
  config: Config,
  field: string,
  options: CallOptions & { pageSize?: number | undefined },
  describe: () => [path: string, query?: Record<string, string | undefined>],
): AsyncIterable<Item> {
  const accepts = ({ [field]: items, nextCursor = null }: Body): boolean =>
    Array.isArray(items) && (nextCursor === null || typeof nextCursor === "string");
  const read = (path: string) => call(config, { method: "GET", path, accepts }, options);
  return {
    async *[Symbol.asyncIterator]() {
      const [path, query = {}] = describe();
      const { pageSize } = options;
      if (pageSize !== undefined) checkInteger("pageSize", pageSize, 1, PAGE_SIZE_MAX);
      let cursor: string | undefined;
      do {
        const { body } = await read(withQuery(path, { ...query, limit: pageSize, cursor }));
        const { [field]: items, nextCursor } = body;
        yield* items as Item[];
        cursor = (nextCursor ?? undefined) as string | undefined;
      } while (cursor !== undefined);
    },
  };
}
