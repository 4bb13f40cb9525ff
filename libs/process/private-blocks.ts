// WEBHOOK_ALLOW_PRIVATE: blocks of private addresses that receivers of events may have.
import { isIP } from "node:net";

/** Instance metadata of cloud providers, with credentials, is at such addresses. */
const LINK_LOCAL = /^(?:169\.254\.|fe[89ab][0-9a-f]:)/;
const LINK_LOCAL_BLOCKS = ["169.254.0.0/16", "fe80::/10"];

const NO_BLOCKS = "is not blocks of addresses, separated by commas, such as 127.0.0.0/8,10.1.0.0/16,::1/128";
const PART_OF_LINK_LOCAL = `names a part of the link-local addresses: only ${LINK_LOCAL_BLOCKS.join(" and ")} as a whole can be allowed`;

export function blocksIn(text: string): string[] {
  return text.split(",").map((block) => block.trim().toLowerCase());
}

/** Why the blocks cannot be used; null: they can. */
export function blocksFault(blocks: readonly string[]): string | null {
  if (!blocks.every(isBlock)) return NO_BLOCKS;
  return blocks.some(isPartOfLinkLocal) ? PART_OF_LINK_LOCAL : null;
}

function isBlock(text: string): boolean {
  const [address = "", bits = "", ...more] = text.split("/");
  const family = address.includes("%") ? 0 : isIP(address);
  return more.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

function isPartOfLinkLocal(text: string): boolean {
  return LINK_LOCAL.test(text) && !LINK_LOCAL_BLOCKS.includes(text);
}
