/** What the palette offers beside the screens: projects, issues by title or the newest, and what a pasted text leads to. */
import { max } from '@errata/server/limits'
import type { PasteTarget, ReadScope } from '@errata/server/queries'
import { valueTerm } from '#parts/search-token.ts'
import type { HandlerRoute } from '#wire/app-tables.ts'
import type { Documents, FoundDocument } from '#wire/documents.ts'
import { requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export interface PaletteAnswer {
  readonly projects: readonly { readonly slug: string; readonly name: string }[]
  readonly issues: readonly { readonly shortId: string; readonly title: string }[]
  readonly targets: readonly PasteTarget[]
  readonly docs: readonly FoundDocument[]
}

const ISSUES_MAX = 6
const RANGE_MS = 90 * 86_400_000
/** Of a longer text a part of its title is enough. */
const WORDS_MAX = 12

/** `find` looks through the handbook, where there is one. */
export function paletteHandler(find: Documents['find'] | null): HandlerRoute {
  return { path: '/palette', access: 'signed-in', handle: (ctx) => answerPalette(ctx, find) }
}

async function answerPalette(ctx: LoaderContext, find: Documents['find'] | null): Promise<Response> {
  const { engine, viewer, url, nowMs } = requireViewer(ctx)
  const text = (url.searchParams.get('q') ?? '').slice(0, max('digestPasteCharsMax')).trim()
  const scope = engine.access.scope(viewer, url.searchParams.get('org') ?? '')
  const [projects, list, targets] = await Promise.all([
    scope === null ? [] : projectsFor(engine, scope, text),
    scope === null
      ? null
      : engine.queries.issueList(scope, {
          query: text === '' ? 'is:unresolved' : titleSearch(text),
          projects: [],
          environments: [],
          range: { startMs: nowMs - RANGE_MS, endMs: nowMs },
          sort: 'date',
          limit: ISSUES_MAX,
          cursor: null,
          rowsOnly: true,
          withoutCounts: true,
        }),
    text === '' ? [] : engine.queries.paste(viewer, text),
  ])
  const answer: PaletteAnswer = {
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    issues: (list?.rows ?? []).map(({ shortId, title }) => ({ shortId, title })),
    targets,
    docs: find?.(text) ?? [],
  }
  return Response.json(answer)
}

/** Those that the text names; then others, whose screens it may name: `relay`, `web: client keys`. */
async function projectsFor(
  { queries }: LoaderContext['engine'],
  scope: ReadScope,
  text: string,
): Promise<Awaited<ReturnType<typeof queries.projectNames>>['rows']> {
  const [name = ''] = text.split(':', 1)
  const limit = max('choicesMax')
  const { rows: named } = await queries.projectNames(scope, { text: name, limit })
  if (name === '' || named.length === limit) return named
  const { rows: others } = await queries.projectNames(scope, { limit })
  return [...named, ...others.filter(({ id }) => named.every((one) => one.id !== id))].slice(0, limit)
}

/** Every word as text, whatever it means in a search: `TypeError: x of y`. */
function titleSearch(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== 'OR' && word !== 'AND')
    .slice(0, WORDS_MAX)
    .map((value) => valueTerm({ key: null, value, negated: false }))
    .join(' ')
    .slice(0, max('searchCharsMax'))
}
