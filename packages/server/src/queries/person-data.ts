/** What is kept of one person in a project, event by event: read in pages, never whole. */
import type { ProjectId } from '#base/ids.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventReads, PayloadSegments, TelemetryStore } from '#ports/telemetry.ts'

export interface PersonDataParts {
  readonly telemetry: Pick<EventReads<EventRow>, 'groupsMatching' | 'events'> & Pick<TelemetryStore, 'files'>
  readonly payloads: Pick<PayloadSegments, 'read'>
}

/** `payload` is null where it was not kept. */
export interface PersonEvent {
  readonly row: EventRow
  readonly payload: unknown
}

const PAGE_ROWS = 20

/** Newest first, `key` as the columns name people. */
export async function* personData(
  { telemetry, payloads }: PersonDataParts,
  scope: ReadScope,
  { project, key }: { readonly project: ProjectId; readonly key: string },
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
        const bytes = await payloads.read(file, row.projectId, row.eventId)
        const text = bytes === null || bytes.length === 0 ? null : new TextDecoder().decode(bytes)
        return { row, payload: text === null ? null : JSON.parse(text) }
      }),
    )
    left -= page.rows.length
    cursor = page.nextCursor
    if (cursor === null) return
  }
}
