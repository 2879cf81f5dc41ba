/** Completes a search of traces while it is typed: keys, their words, and values of the last day. */
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import { isActionId } from '#model/action-name.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'
import type { TraceReads } from '#ports/traces.ts'
import type { Suggestion, TraceSuggestionsAsked } from '../search-words.ts'
import { type FacetParts, issueFacet, workFacets } from './facets.ts'
import { filesWithin } from './performance.ts'

export interface TraceSuggestionParts extends FacetParts {
  readonly projects: Pick<ProjectsRead, 'projects'>
  readonly telemetry: FacetParts['telemetry'] &
    Pick<TraceReads<FragmentRow>, 'segmentValues' | 'segmentWork'> &
    Pick<TelemetryStore, 'files'>
  readonly clock: Clock
  readonly traceKeys: readonly string[]
  /** Words that a key takes; `null`: its values are what requests have. */
  readonly traceWords: (key: string) => readonly string[] | null
}

const SUGGESTIONS_MAX = 20

export async function traceSuggestions(
  parts: TraceSuggestionParts,
  scope: ReadScope,
  { key, prefix: typed, fits, projects }: TraceSuggestionsAsked,
): Promise<readonly Suggestion[]> {
  const prefix = typed.slice(0, max('tagValueCharsMax')).toLowerCase()
  const words = key === null ? parts.traceKeys : parts.traceWords(key)
  const known =
    words === null
      ? await suggestTraceValues(parts, scope, { key: key ?? '', chosen: projects })
      : words.map((text) => ({ text, count: null }))
  const isMeant = fits ?? ((text: string) => text.toLowerCase().startsWith(prefix))
  return known.filter(({ text }) => isMeant(text)).slice(0, SUGGESTIONS_MAX)
}

/** The tag that a key of the search asks for. */
function tagOfKey(key: string): string {
  return key === 'method' ? 'http.method' : key
}

/** `id:42` of a person is found by `42` alone. */
const PERSON = /^(?:id|email|username|ip):/

async function suggestTraceValues(
  parts: TraceSuggestionParts,
  scope: ReadScope,
  { key, chosen }: { readonly key: string; readonly chosen: readonly string[] | null },
): Promise<readonly Suggestion[]> {
  const { projects, telemetry, clock } = parts
  const all = await projects.projects(scope)
  const named = chosen === null ? null : all.filter(({ slug }) => chosen.includes(slug))
  const range = { startMs: clock.now() - DAY_MS, endMs: clock.now() }
  const filter = {
    ...range,
    files: filesWithin(await telemetry.files(), range),
    projects: named?.map(({ id }) => id) ?? null,
  }
  const tag = tagOfKey(key)
  const facets =
    key === 'service'
      ? workFacets(await telemetry.segmentWork(scope, filter), all).slice(0, 1)
      : key === 'issue'
        ? await issueFacet(parts, scope, filter)
        : (await telemetry.segmentValues(scope, filter, { tags: [tag], limit: max('segmentValuesMax') })).tags
  return facets.flatMap(({ values }) =>
    values
      .filter(({ value }) => tag !== 'action' || !isActionId(value))
      .map(({ value, count }) => ({ text: tag === 'user' ? value.replace(PERSON, '') : value, count })),
  )
}
