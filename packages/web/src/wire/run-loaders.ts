/** Runs the loaders of a page: the frame's and its own, together. */

import { authorize } from './access-check.ts'
import type { PageData, WireError } from './answers.ts'
import type { AppTables } from './app-tables.ts'
import type { ChangedPart } from './define-action.ts'
import { type Stopped, stopOf } from './failure.ts'
import { PageStop, redirectTo } from './loader.ts'
import { FRAME, UNREAD } from './names.ts'
import { leadToOwn } from './own-links.ts'
import type { Match } from './page-at.ts'
import type { PageRoute } from './route.ts'
import { failurePlace, loaderContext, type Serving } from './serve-context.ts'
import type { LoaderContext } from './types.ts'

export type LoadedPage =
  | { readonly kind: 'data'; readonly data: PageData }
  /** With the frame's data, for the page that says so. */
  | (Extract<Stopped, { kind: 'refused' }> & { readonly data: PageData })
  | Exclude<Stopped, { kind: 'refused' }>

export async function runLoaders(
  tables: AppTables,
  serving: Serving,
  match: Match<PageRoute>,
): Promise<LoadedPage> {
  const ctx = loaderContext(serving, match.params)
  const { route } = match
  const [frame, page] = await Promise.allSettled([
    tables.loaders[FRAME](ctx),
    (async () => {
      await leadToOwn(ctx)
      const checked = authorize(ctx, route.access)
      await leadToProject(checked, match)
      return (await tables.loaders[route.id]?.(checked)) ?? null
    })(),
  ])
  const why = (thrown: unknown) =>
    stopOf(thrown, failurePlace(serving, route.path), { ctx, recordedPath: tables.digestPath })
  if (page.status === 'fulfilled' && frame.status === 'fulfilled') {
    const unread = ctx.unread.size === 0 ? {} : { [UNREAD]: Object.fromEntries(ctx.unread) }
    return { kind: 'data', data: { [FRAME]: frame.value, [route.id]: page.value, ...unread } }
  }
  if (page.status === 'rejected') {
    const reason = why(page.reason)
    if (reason.kind !== 'refused') return reason
    const error = withMissing(reason.error, { tables, ctx, route, thrown: page.reason })
    if (frame.status === 'fulfilled') return { ...reason, error, data: { [FRAME]: frame.value } }
  }
  return withoutFrame(why(frame.status === 'rejected' ? frame.reason : null))
}

/** Says what is not there. */
function withMissing(
  error: WireError,
  about: {
    readonly tables: AppTables
    readonly ctx: LoaderContext
    readonly route: PageRoute
    readonly thrown: unknown
  },
): WireError {
  if (error.code !== 'not_found') return error
  const { tables, ctx, route, thrown } = about
  const { engine, viewer, params, url } = ctx
  const said =
    thrown instanceof PageStop && thrown.answer.kind === 'refused' ? thrown.answer.about : undefined
  const isPage = route.path !== EVERY_PATH
  const [, first] = url.pathname.split('/')
  // An address of no page may begin with an organisation all the same.
  const org = params.org ?? first ?? ''
  const isMember = viewer !== null && engine.access.scope(viewer, org) !== null
  const named = viewer !== null && isPage ? params.org : isMember ? org : undefined
  const pathname = viewer === null ? '' : (said ?? url.pathname)
  return { ...error, missing: tables.missingAt({ pathname, org: named, isMember, isPage }) }
}

/** Pattern of the page that stands for all that are not there. */
const EVERY_PATH = '*'

/** Reads the frame and what an action changed of a page; `null` where the whole page has to be read. */
export async function readPart(
  tables: AppTables,
  serving: Serving,
  { match: { route, params }, part }: { readonly match: Match<PageRoute>; readonly part: ChangedPart | null },
): Promise<{ readonly data: PageData; readonly part: PageData } | null> {
  if (part === null || !part.pages.includes(route.id)) return null
  const ctx = loaderContext(serving, params)
  try {
    const [frame, changed] = await Promise.all([
      tables.loaders[FRAME](ctx),
      part.read(authorize(ctx, route.access)),
    ])
    return { data: { [FRAME]: frame }, part: changed }
  } catch {
    // The loaders of the page say what is wrong with it, and to whom.
    return null
  }
}

/** A bookmark or a link of an email may name a project by a slug it had before. */
async function leadToProject(ctx: LoaderContext, { params }: Match<PageRoute>): Promise<void> {
  const { engine, viewer, url } = ctx
  if (params.project === undefined && !url.searchParams.has('project')) return
  const scope = viewer === null || params.org === undefined ? null : engine.access.scope(viewer, params.org)
  if (scope === null) return
  const address = { path: url.pathname, search: url.search, project: params.project }
  const moved = await engine.queries.movedAddress(scope, address)
  if (moved !== null) redirectTo(moved)
}

/** A frame that refuses leaves nothing to show the refusal in. */
function withoutFrame(reason: Stopped): LoadedPage {
  return reason.kind === 'refused' ? { ...reason, data: {} } : reason
}
