// POST …/names, as docs/reference/api.md describes it.
import { z } from "zod";
import { PlatformId } from "#contract/text.ts";
import { MEMBER_NAME_CHARS_MAX, MEMBER_NAME_FORM, memberNameOf, NAMES_PER_CALL_MAX } from "#domain/member-name.ts";

const MemberName = z
  .string()
  .transform((text, context) => {
    const name = memberNameOf(text);
    if (name !== null) return name;
    context.addIssue({ code: "custom", message: `must have ${MEMBER_NAME_FORM}` });
    return z.NEVER;
  })
  .meta({
    description: `Stored in NFC, without surrounding white space, which does not count: at most ${MEMBER_NAME_CHARS_MAX} characters.`,
    minLength: 1,
    pattern: `^\\s*[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]{1,${MEMBER_NAME_CHARS_MAX}}\\s*$`,
    examples: ["Builderman"],
  });

const NamedMember = z
  .strictObject({
    platformId: PlatformId,
    name: MemberName.nullable().exactOptional().meta({ description: "Null deletes the stored name." }),
    hidden: z.boolean().exactOptional().meta({
      description: "Whether the player is hidden on the clan's public page. Without it, that does not change.",
    }),
  })
  .refine(({ name, hidden }) => name !== undefined || hidden !== undefined, {
    path: ["name"],
    error: "is required without hidden",
  })
  .meta({ id: "NamedMember" });

export const NamesRequest = z
  .strictObject({
    names: z
      .array(NamedMember)
      .min(1, { error: "must have at least one name" })
      .max(NAMES_PER_CALL_MAX, { error: `must have at most ${NAMES_PER_CALL_MAX} names` })
      .superRefine((names, context) => {
        const seen = new Set<string>();
        for (const [index, { platformId }] of names.entries()) {
          if (seen.has(platformId))
            context.addIssue({ code: "custom", path: [index, "platformId"], message: "is in the list more than once" });
          seen.add(platformId);
        }
      }),
  })
  .meta({ id: "NamesRequest", examples: [{ names: [{ platformId: "123", name: "Builderman" }] }] });

export const NamesResponse = z.strictObject({ stored: z.int() }).meta({ id: "NamesAnswer" });
