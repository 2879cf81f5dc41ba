/**
 * Answers of the palette beside the screens: projects, issues by title or the newest, and what a pasted text
 * leads to.
 */
import { max } from '@errata/server/limits'
import type { PasteTarget } from '@errata/server/queries'
import { paths } from '#parts/paths.ts'
import { valueTerm } from '#parts/search-token.ts'
import { fitsText } from '#parts/text-match.ts'
import type { HandlerRoute } from '#wire/app-tables.ts'
import type { Documents } from '#wire/documents.ts'
import { requireViewer } from '#wire/loader.ts'
import type { LoaderContext, ViewerContext } from '#wire/types.ts'
import { assigneesFor, type PaletteAssignee } from './palette-assignees.server.ts'
import {
  docsEntries,
  type PaletteEntry,
  type PaletteGroup,
  paletteGroups,
  targetEntries,
} from './palette-groups.server.ts'
import { NOTHING_NAMED, namedOrNear } from './palette-named.server.ts'
import { pastedFor } from './palette-pasted.server.ts'

export interface PaletteAnswer {
  /** Targets of a pasted text. */
  readonly targets: readonly PaletteEntry[]
  readonly groups: readonly PaletteGroup[]
  /** Things that can be created. */
  readonly creations: readonly PaletteEntry[]
  /** Pages that are no places. */
  readonly pages: readonly PaletteEntry[]
  /** Choices behind `assign` and `assign to Rosa`. */
  readonly assignees: readonly PaletteAssignee[]
  readonly docs: readonly PaletteEntry[]
}

const ISSUES_MAX = 6
const RANGE_MS = 90 * 86_400_000
/** Words of a longer text that are looked for: a part of its title is enough. */
const WORDS_MAX = 12

/** `find` looks through the handbook, where there is one. */
export function paletteHandler(find: Documents['find'] | null): HandlerRoute {
  return { path: '/palette', access: 'signed-in', handle: (ctx) => answerPalette(ctx, find) }
}

async function answerPalette(ctx: LoaderContext, find: Documents['find'] | null): Promise<Response> {
  const signedIn = requireViewer(ctx)
  const { engine, viewer, url, nowMs } = signedIn
  const text = (url.searchParams.get('q') ?? '').slice(0, max('digestPasteCharsMax')).trim()
  const scope = engine.access.scope(viewer, url.searchParams.get('org') ?? '')
  const org = scope === null ? null : { ...signedIn, scope }
  const [list, pasted, named, assignees] = await Promise.all([
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
    pastedFor(signedIn, text),
    org === null ? NOTHING_NAMED : namedOrNear(org, { text, name: namedBy(text) }),
    org === null ? [] : assigneesFor(org, { text, issue: url.searchParams.get('issue') }),
  ])
  const found = {
    org: scope?.orgSlug ?? '',
    projects: named.projects,
    issues: issuesBeside(list?.rows ?? [], pasted.targets),
    names: named.names,
    isDeletion: DELETION.test(text),
  }
  const answer: PaletteAnswer = {
    targets: [...pasted.pages, ...pasted.targets.flatMap(targetEntries)],
    groups: [
      ...routesFirst([...paletteGroups(found), { name: 'Settings', entries: named.settings }], text),
      { name: 'Organisations', entries: organisationEntries(signedIn, text) },
    ],
    creations: named.creations,
    pages: named.pages,
    assignees,
    docs: docsEntries(find?.(text) ?? []),
  }
  return Response.json(answer)
}

/** Returns the viewer's organisations that the text names, the open one among them. */
function organisationEntries({ viewer }: ViewerContext, text: string): readonly PaletteEntry[] {
  const fits = fitsText(text)
  const pathOf = viewer.user.landing === 'issues' ? paths.issues : paths.overview
  return viewer.memberships
    .filter(({ organisation }) => text !== '' && fits(organisation.name))
    .map(({ organisation: { name, slug } }) => ({ icon: 'people', text: name, note: '', path: pathOf(slug) }))
}

/** Routes come first where a route is typed. */
function routesFirst(groups: readonly PaletteGroup[], text: string): readonly PaletteGroup[] {
  if (!text.startsWith('/')) return groups
  return groups.toSorted((a, b) => Number(b.name === 'Routes') - Number(a.name === 'Routes'))
}

/** Issues beside those that the text leads to by a digest or an id. */
function issuesBeside<T extends { readonly shortId: string }>(
  rows: readonly T[],
  targets: readonly PasteTarget[],
) {
  const named = new Set(
    targets.flatMap((target) => {
      if (target.kind === 'issue') return [target.shortId]
      return target.kind === 'digest' && target.issue !== null ? [target.issue.shortId] : []
    }),
  )
  return rows.filter(({ shortId }) => !named.has(shortId))
}

/** How people ask for all that is stored of a person, or for its end. */
const DELETION =
  /^(?:delete|export|download|erase|remove|forget)(?:\s+(?:all\s+)?data)?(?:\s+(?:of|for))?\s+/i
/** How people ask for an alert on something. */
const ALERT = /^(?:new\s+)?alerts?(?:\s+(?:rule|me))?(?:\s+(?:on|for|of|when))?\s+/i

/** `assign to Rosa` names Rosa, `delete ada@example.com` whoever has that address, `alert on checkout` that route. */
function namedBy(text: string): string {
  return text
    .replace(/^assign(?:\s+to)?\s+/i, '')
    .replace(DELETION, '')
    .replace(ALERT, '')
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
