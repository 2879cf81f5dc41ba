/** Reads a project's screen of source maps: uploads, refusals, and what could not be resolved and why. */

import type { Artifacts } from '#artifacts/artifact-work.ts'
import type { LookUp, LookUps, RanPlace } from '#artifacts/look-up.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { dayOf, readEventId } from '#base/ids.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import type { Unresolved } from '#model/map-lookup.ts'
import type { MissedMap, MissedMapCounts } from '#ports/missed-maps.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'
import { plainDebugId } from '#symbolicate/debug-ids.ts'
import type { FindEvent } from '../find-event.ts'
import type {
  LookUpAsked,
  LookUpCheck,
  MissedByCause,
  SourceMapQueries,
  SourceMapsAsked,
  SourceMapsView,
} from '../stack-types.ts'
import type { EventView } from '../types.ts'
import { ranPlaces } from './ran-places.ts'
import { readPlace } from './read-place.ts'
import { UNRESOLVED, UNRESOLVED_CAUSES, unresolvedText } from './unresolved.ts'

export interface SourceMapParts {
  readonly projects: Pick<ProjectsRead, 'project'>
  readonly publicAddress: Pick<PublicAddress, 'url'>
  readonly telemetry: MissedMapCounts & Pick<TelemetryStore, 'files'>
  readonly artifacts: Pick<Artifacts, 'bundles' | 'failures' | 'usage'>
  /** Whether anything was ever uploaded: until then nobody begins a thread to ask. */
  readonly hasArtifacts?: () => boolean
  readonly lookUps?: LookUps
  readonly findEvent: FindEvent
  readonly events: { view(scope: ReadScope, row: EventRow): Promise<EventView | null> }
  readonly clock: Clock
}

const BUNDLES_SHOWN = 20
const FAILURES_ASKED = 100
const FAILURES_SHOWN = 10

export function sourceMapQueries(parts: SourceMapParts): SourceMapQueries {
  return {
    async sourceMaps(scope, ref, asked) {
      const project = await parts.projects.project(scope, ref)
      if (project === null) return null
      const [uploads, missed] = await Promise.all([
        uploadsOf(parts, scope, { project, ...asked }),
        asked.withoutEvents === true ? NONE_MISSED : missedByCause(parts, scope, project),
      ])
      return { project, url: parts.publicAddress.url, ...uploads, missed }
    },
    async checkLookUp(scope, ref, asked) {
      const project = await parts.projects.project(scope, ref)
      return project === null ? null : checkOf(parts, scope, { project, ...asked })
    },
    async checkPlaces(scope, ref, asked) {
      const project = await parts.projects.project(scope, ref)
      if (project === null) return null
      const places = asked.map((place) => ({ ...place, debugId: plainDebugId(place.debugId ?? '') }))
      return checkedPlaces(parts, scope, { project, places })
    },
  }
}

async function uploadsOf(
  { artifacts, hasArtifacts = () => true }: SourceMapParts,
  scope: ReadScope,
  { project, text, beforeId }: SourceMapsAsked & { readonly project: Project },
): Promise<Pick<SourceMapsView, 'usage' | 'bundles' | 'nextBefore' | 'failures'>> {
  if (!hasArtifacts()) return { usage: { bundles: 0, bytes: 0 }, bundles: [], nextBefore: null, failures: [] }
  const filter = { project: project.id, release: null, text, beforeId, limit: BUNDLES_SHOWN + 1 }
  const [usage, bundles, failures] = await Promise.all([
    artifacts.usage(scope.orgId),
    artifacts.bundles(scope, filter),
    artifacts.failures(scope, { project: null, limit: FAILURES_ASKED }),
  ])
  const shown = bundles.slice(0, BUNDLES_SHOWN)
  return {
    usage,
    bundles: shown,
    nextBefore: bundles.length > BUNDLES_SHOWN ? (shown.at(-1)?.id ?? null) : null,
    // One that names no project that is there may have been meant for this one.
    failures: failures
      .filter(({ projects }) => projects.length === 0 || projects.includes(project.id))
      .slice(0, FAILURES_SHOWN),
  }
}

/** Debug ids whose newest event is looked into. */
const MISSED_MAX = 30

const NONE_MISSED: MissedByCause = {
  ...{ events: 0, causes: [], foundSince: 0 },
  frames: { needed: 0, resolved: 0, events: 0 },
}

async function missedByCause(
  parts: SourceMapParts,
  scope: ReadScope,
  project: Project,
): Promise<MissedByCause> {
  const startMs = parts.clock.now() - DAY_MS
  const first = dayOf(startMs)
  const files = (await parts.telemetry.files()).filter(
    ({ day }) => day >= first - 1 && day <= dayOf(parts.clock.now()) + max('eventAgeDaysMax'),
  )
  const filter = { project: project.id, files, startMs }
  const { events, missed, frames } = await parts.telemetry.missedMaps(scope, filter, MISSED_MAX)
  const found = await Promise.all(missed.map((each) => missedCause(parts, scope, { project, missed: each })))
  const causes = UNRESOLVED_CAUSES.map((why) => {
    const of = found.filter((each) => each.why === why)
    const example = of.find(({ file }) => file !== null) ?? null
    const { title, next } = UNRESOLVED[why]
    return {
      ...{ why, title, next, count: sumCauses(of) },
      example:
        example?.file == null
          ? null
          : { file: example.file, release: example.missed.release, eventId: example.missed.newest.eventId },
    }
  })
  return {
    events,
    frames,
    causes: causes.sort((a, b) => b.count - a.count),
    foundSince: sumCauses(found.filter(({ why }) => why === null)),
  }
}

interface Cause {
  readonly why: Unresolved | null
  readonly file: string | null
  readonly missed: MissedMap
}

function sumCauses(causes: readonly Cause[]): number {
  return causes.reduce((total, { missed }) => total + missed.events, 0)
}

const PLACES_OF_EVENT = 20

/**
 * Returns what a look-up answers now for the newest event's places; without its payload, for the debug id
 * alone.
 */
async function missedCause(
  parts: SourceMapParts,
  scope: ReadScope,
  { project, missed }: { readonly project: Project; readonly missed: MissedMap },
): Promise<Cause> {
  const { debugId, release, newest } = missed
  const places = (await placesOfEvent(parts, scope, { project, eventId: newest.eventId })).filter(
    (place) => place.debugId === debugId,
  )
  const [first] = places
  const alone = { path: '', debugId, release, dist: null, line: null, column: null }
  const answers = await lookUpPlaces(parts, project, first === undefined ? [alone] : places)
  const at = answers.findIndex(({ why }) => why !== null && why !== 'no_source_in_map')
  return { why: answers[at]?.why ?? null, file: (places[at] ?? first)?.path ?? null, missed }
}

async function lookUpPlaces(
  { lookUps }: SourceMapParts,
  project: Project,
  places: readonly RanPlace[],
): Promise<readonly LookUp[]> {
  return places.length === 0 || lookUps === undefined ? [] : lookUps.lookUp(project, places)
}

async function placesOfEvent(
  { findEvent, events }: SourceMapParts,
  scope: ReadScope,
  { project, eventId }: { readonly project: Project; readonly eventId: string },
): Promise<readonly RanPlace[]> {
  const id = readEventId(eventId)
  const row = id === null ? null : await findEvent(scope, id, project.id)
  const view = row === null ? null : await events.view(scope, row)
  return view === null ? [] : ranPlaces(view.event, PLACES_OF_EVENT)
}

async function checkOf(
  parts: SourceMapParts,
  scope: ReadScope,
  { project, text, release, dist }: LookUpAsked & { readonly project: Project },
): Promise<LookUpCheck> {
  const ofEvent = await placesOfEvent(parts, scope, { project, eventId: text.trim() })
  const read = ofEvent.length > 0 ? null : readPlace(text, { release, dist })
  const kind = ofEvent.length > 0 ? 'event' : read === null ? null : read.path === '' ? 'debug_id' : 'address'
  const places = read === null ? ofEvent : [read]
  return { kind, places: await checkedPlaces(parts, scope, { project, places }) }
}

async function checkedPlaces(
  parts: SourceMapParts,
  scope: ReadScope,
  { project, places }: { readonly project: Project; readonly places: readonly RanPlace[] },
): Promise<LookUpCheck['places']> {
  const answers = await lookUpPlaces(parts, project, places)
  const own = { url: parts.publicAddress.url, org: scope.orgSlug, project: project.slug }
  return answers.flatMap(({ why, steps, original }, at) => {
    const place = places[at]
    if (place === undefined) return []
    const problem = why === null ? null : unresolvedText(why, { ...own, ...place, file: place.path })
    return [{ place, steps, original, problem }]
  })
}
