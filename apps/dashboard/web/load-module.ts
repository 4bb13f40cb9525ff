// Loads the code of a page, which may fail while a device changes its network.

const AGAIN_AFTER_MS = 1_000;

/** Loads once more if the first attempt fails. Rejects if the second one fails too. */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    return load();
  }
}
