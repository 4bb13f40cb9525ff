// Public pages: their settings are part of the clan's document. Each address has its document, whose unique `_id` decides
// which clan has it.
import type { ClientSession, Collection } from "mongodb";
import { PUBLIC_PAGE_DEFAULT, slugsFor, type PublicPage } from "#domain/public-page.ts";
import { makeAudited } from "#audit/store/audited.ts";
import { clanOfDoc, type ClanDoc } from "#clans/store/clan-model.ts";
import type { Database } from "#mongo/database.ts";
import { read } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import { giveUpSlugs } from "#public-pages/store/give-up-slugs.ts";
import type { SlugDoc } from "#public-pages/store/slug-model.ts";
import type { ClanOrRejection, PublicPageStore } from "#public-pages/ports.ts";

type Opened = Pick<Database, "db">;

export function makePublicPageStore({ db }: Opened): PublicPageStore {
  const clans = () => db().collection<ClanDoc>("clans");
  const slugs = () => db().collection<SlugDoc>("slugs");
  const { store, firstFree, claim } = makeSteps({ db, clans, slugs });
  const audited = makeAudited({ db });

  async function change(...[clanId, wanted, by]: Parameters<PublicPageStore["change"]>): Promise<ClanOrRejection> {
    const { publish, slug, ...settings } = wanted;
    try {
      return await audited(by, async (session, note) => {
        const doc = await clans().findOne({ _id: clanId }, { session });
        if (!doc) return { kind: "no_clan" };
        const before = { ...PUBLIC_PAGE_DEFAULT, ...doc.publicPage };
        const isPublished = publish || before.isPublished;
        const after = { ...before, ...settings, isPublished };
        if (isPublished && !(before.isPublished && (slug ?? before.slug) === before.slug)) {
          const last = before.slug === null ? [] : [before.slug];
          after.slug = await firstFree(clanId, slug === undefined ? [...last, ...slugsFor(doc.name)] : [slug], session);
          if (after.slug === null) return { kind: "slug_taken" };
          await claim(clanId, after.slug, session);
        }
        if (isPublished) after.publishedAt ??= new Date();
        const clan = await store(clanId, after, session);
        if (!clan) return { kind: "no_clan" };
        const isFirst = isPublished && !before.isPublished;
        await note({
          action: isFirst ? "page.publish" : "page.set",
          clanId,
          target: clanId,
          before: isFirst ? null : pageInAudit(before),
          after: pageInAudit(after),
        });
        return { kind: "changed", clan };
      });
    } catch (error) {
      // Another clan has just taken it, of which this transaction did not know.
      if (isDuplicateKey(error)) return slug === undefined ? change(clanId, wanted, by) : { kind: "slug_taken" };
      throw error;
    }
  }

  return {
    change,

    unpublish: (clanId, by) =>
      audited(by, async (session, note) => {
        const doc = await clans().findOne({ _id: clanId }, { session });
        if (!doc) return null;
        const { publicPage } = doc;
        if (!publicPage?.isPublished) return { was: false, clan: clanOfDoc(doc) };
        await giveUpSlugs({ db }, { clanId, used: null }, session);
        const clan = await store(clanId, { ...publicPage, isPublished: false }, session);
        const before = pageInAudit(publicPage);
        await note({ action: "page.unpublish", clanId, target: clanId, before, after: null });
        return clan && { was: true, clan };
      }),

    // Of an unknown slug, and of one that was given up, the same read alone: they must take the same time.
    find: (slug) =>
      read(async () => {
        const held = await slugs().findOne({ _id: slug, keptUntil: null });
        const doc = held && (await clans().findOne({ _id: held.clanId }));
        return doc?.publicPage?.isPublished && doc.publicPage.slug === slug ? clanOfDoc(doc) : null;
      }),
  };
}

/** The steps of a change, each in its transaction. */
function makeSteps({
  db,
  clans,
  slugs,
}: Pick<Database, "db"> & { clans: () => Collection<ClanDoc>; slugs: () => Collection<SlugDoc> }) {
  return {
    async store(clanId: string, publicPage: PublicPage, session: ClientSession) {
      const update = { $set: { publicPage }, $inc: { rev: 1 } };
      const doc = await clans().findOneAndUpdate({ _id: clanId }, update, { session, returnDocument: "after" });
      return doc && clanOfDoc(doc);
    },

    /** The first of these that no other clan has; null: none. */
    async firstFree(clanId: string, wanted: readonly string[], session: ClientSession): Promise<string | null> {
      const docs = await slugs()
        .find({ _id: { $in: [...wanted] } }, { session })
        .toArray();
      const taken = new Set(docs.filter((doc) => doc.clanId !== clanId).map(({ _id }) => _id));
      return wanted.find((slug) => !taken.has(slug)) ?? null;
    },

    async claim(clanId: string, slug: string, session: ClientSession): Promise<void> {
      await slugs().replaceOne({ _id: slug, clanId }, { clanId, keptUntil: null }, { session, upsert: true });
      await giveUpSlugs({ db }, { clanId, used: slug }, session);
    },
  };
}

function pageInAudit({ slug, names, boards, index, frames }: PublicPage): object {
  return { slug, names, boards, index, frames };
}
