/** What the palette offers beside the screens: projects, recent issues, and what a pasted text leads to. */
import { max } from '@errata/server/limits'
import type { PasteTarget } from '@errata/server/queries'
import { requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export interface PaletteAnswer {
  readonly projects: readonly { readonly slug: string; readonly name: string }[]
  readonly issues: readonly { readonly shortId: string; readonly title: string }[]
  readonly targets: readonly PasteTarget[]
}

const ISSUES_MAX = 5
const RANGE_MS = 14 * 86_400_000

export async function answerPalette(ctx: LoaderContext): Promise<Response> {
  const { engine, viewer, url, nowMs } = requireViewer(ctx)
  const text = (url.searchParams.get('q') ?? '').slice(0, max('digestPasteCharsMax')).trim()
  const scope = engine.access.scope(viewer, url.searchParams.get('org') ?? '')
  const [projects, list, targets] = await Promise.all([
    scope === null ? [] : engine.queries.projects(scope),
    scope === null
      ? null
      : engine.queries.issueList(scope, {
          query: 'is:unresolved',
          projects: [],
          environments: [],
          range: { startMs: nowMs - RANGE_MS, endMs: nowMs },
          sort: 'date',
          limit: ISSUES_MAX,
          cursor: null,
          rowsOnly: true,
        }),
    text === '' ? [] : engine.queries.paste(viewer, text),
  ])
  const answer: PaletteAnswer = {
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    issues: (list?.rows ?? []).map(({ shortId, title }) => ({ shortId, title })),
    targets,
  }
  return Response.json(answer)
}
