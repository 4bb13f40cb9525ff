// A member: the ids and the head.
import type { Head } from "#domain/head.ts";
import type { MemberRef } from "#domain/member-id.ts";

export type Member = MemberRef & Head;
