import { INBOX_KINDS } from '@errata/server/queries'
import { object, optional } from 'valibot'
import { readAddress } from '#parts/address.ts'
import { idField, idListField, tickField } from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { requireViewer } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext } from '#wire/types.ts'
import { INBOX } from './inbox-params.ts'

export async function loadInbox(ctx: LoaderContext) {
  const { engine, viewer, url } = requireViewer(ctx)
  const address = readAddress(INBOX, url.searchParams)
  const { isAll, kind, before } = address
  const [view, unread] = await Promise.all([
    readable(ctx, 'inbox', {
      read: () => engine.queries.inbox(viewer, { kind, before, isUnreadOnly: !isAll }),
      otherwise: async () => ({ entries: [], next: null }),
    }),
    engine.queries.inboxUnread(viewer),
  ])
  const names = viewer.memberships.map(({ organisation: { slug, name } }) => [slug, name] as const)
  // Where there is one alone nobody needs its name.
  return {
    address,
    kinds: INBOX_KINDS,
    ...view,
    unread,
    organisations: names.length > 1 ? Object.fromEntries(names) : {},
  }
}

/** Marks the entries, or all up to one. */
export const markEntries = defineAction(
  'inbox.mark',
  'signed-in',
  object({ entries: idListField, upTo: optional(idField), unread: tickField }),
  async (ctx, { entries, upTo, unread }) => {
    const chosen = upTo === undefined ? { ids: entries } : { upTo }
    const done = await ctx.engine.commands.markInbox(ctx, { entries: chosen, isRead: !unread })
    return done.ok ? { result: { changed: done.value } } : done
  },
)

/** How many entries are unread: for the count beside the person's name. */
export async function answerUnread(ctx: LoaderContext): Promise<Response> {
  const { viewer, engine } = requireViewer(ctx)
  return Response.json({ count: await engine.queries.inboxUnread(viewer) })
}
