// A part of the pages whose code is loaded when it is first shown, which may fail while a device changes its network.
import { lazy, type ComponentType } from "react";

const AGAIN_AFTER_MS = 1_000;

/** Loads once more if the first attempt fails. The part throws when it is shown if the second one fails too. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
      return { default: await load() };
    }
  });
}
