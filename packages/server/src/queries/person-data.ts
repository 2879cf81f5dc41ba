/**
 * Reads everything kept about one person in a project, event by event and then trace by trace: in pages,
 * never whole.
 */
import type { ProjectId } from '#base/ids.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { type FragmentRow, SPAN } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventReads, PayloadSegments, TelemetryStore } from '#ports/telemetry.ts'
import type { TraceReads } from '#ports/traces.ts'
import { nearest } from './traces/trace.ts'

export interface PersonDataParts {
  readonly telemetry: Pick<EventReads<EventRow>, 'groupsMatching' | 'events'> &
    Pick<TraceReads<FragmentRow>, 'segments' | 'fragments'> &
    Pick<TelemetryStore, 'files'>
  readonly payloads: Pick<PayloadSegments, 'read'>
}

/** `payload` is null where it was not kept. */
export interface PersonEvent {
  readonly row: EventRow
  readonly payload: unknown
}

/** Spans that came together. `payload` is null where it was not kept. */
export interface PersonSpans {
  readonly fragment: FragmentRow
  readonly payload: unknown
}

const PAGE_ROWS = 20

interface Whose {
  readonly project: ProjectId
  /** Key of the person, as in columns. */
  readonly key: string
}

/** Events, then spans, each newest first. */
export async function* personData(
  parts: PersonDataParts,
  scope: ReadScope,
  whose: Whose,
): AsyncGenerator<readonly (PersonEvent | PersonSpans)[]> {
  yield* eachPersonEvent(parts, scope, whose)
  yield* eachPersonSpans(parts, scope, whose)
}

async function* eachPersonEvent(
  { telemetry, payloads }: PersonDataParts,
  scope: ReadScope,
  { project, key }: Whose,
): AsyncGenerator<readonly PersonEvent[]> {
  const own: ReadScope = { ...scope, projects: scope.projects.filter((id) => id === project) }
  const people = [{ names: [key], negated: false }]
  const files = (await telemetry.files()).filter(({ kind }) => kind === ERROR)
  const groups = await telemetry.groupsMatching(own, { people, files }, max('groupsMatchingMax'))
  let cursor: string | null = null
  for (let left = max('personExportEvents'); left > 0; ) {
    const page = await telemetry.events(own, { groups, people, files }, { limit: PAGE_ROWS, cursor })
    // A star in a name stands for any text in the columns, and for itself here.
    const theirs = page.rows.filter((row) => row.people.includes(key)).slice(0, left)
    yield await Promise.all(
      theirs.map(async (row) => {
        const file = { kind: ERROR, day: row.day, retentionDays: row.retentionDays }
        return { row, payload: parsePayload(await payloads.read(file, row.projectId, row.eventId)) }
      }),
    )
    left -= page.rows.length
    cursor = page.nextCursor
    if (cursor === null) return
  }
}

function parsePayload(bytes: Uint8Array | null): unknown {
  return bytes === null || bytes.length === 0 ? null : JSON.parse(new TextDecoder().decode(bytes))
}

/**
 * Yields, for each trace with a segment of theirs, the project's spans except those that name somebody else.
 */
async function* eachPersonSpans(
  { telemetry, payloads }: PersonDataParts,
  scope: ReadScope,
  { project, key }: Whose,
): AsyncGenerator<readonly PersonSpans[]> {
  const own: ReadScope = { ...scope, projects: scope.projects.filter((id) => id === project) }
  const files = (await telemetry.files()).filter(({ kind }) => kind === SPAN)
  const times = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
  const filter = { ...times, files, projects: [project], people: [{ names: [key], negated: false }] }
  const traces = new Set<string>()
  let cursor: string | null = null
  for (let left = max('personExportEvents'); left > 0; ) {
    const page = await telemetry.segments(own, filter, { sort: 'newest', limit: PAGE_ROWS, cursor })
    for (const { traceId, people, timestampMs } of page.rows) {
      if (traces.has(traceId) || !people.includes(key)) continue
      traces.add(traceId)
      const near = nearest(files, SPAN, timestampMs)
      const found = await telemetry.fragments(own, { traceId, files: near })
      const theirs = found.filter((row) => row.people.length === 0 || row.people.includes(key)).slice(0, left)
      left -= theirs.length
      yield await Promise.all(
        theirs.map(async (fragment) => {
          const file = { kind: SPAN, day: fragment.day, retentionDays: fragment.retentionDays }
          const bytes = await payloads.read(file, fragment.projectId, fragment.eventId)
          return { fragment, payload: parsePayload(bytes) }
        }),
      )
    }
    cursor = page.nextCursor
    if (cursor === null) return
  }
}
