/** Exceptions on spans of OpenTelemetry that a Sentry SDK of the same app told of as well. */
import { projectId } from '#base/ids.ts'
import type { AskedError, ControlCommit } from '#ports/ingest.ts'
import { type EventColumns, FLAGS, textAt } from './sum.ts'

/** Returns the places of those that are told already; nothing is asked for a part without such exceptions. */
export async function repeatedErrors(
  columns: EventColumns,
  places: readonly number[],
  control: Pick<ControlCommit, 'toldErrors'>,
): Promise<ReadonlySet<number>> {
  const asked = places.flatMap((place) => {
    const one = askedError(columns, place)
    return one === null ? [] : [{ place, one }]
  })
  if (asked.length === 0) return new Set()
  const told = await control.toldErrors(asked.map(({ one }) => one))
  return new Set(asked.filter((_, at) => told[at] === true).map(({ place }) => place))
}

function askedError(columns: EventColumns, place: number): AskedError | null {
  if (((columns.flags[place] ?? 0) & FLAGS.isOfSpan) === 0) return null
  const traceId = textAt(columns, columns.trace[place])
  const group = columns.groups[columns.group[place] ?? 0]
  if (traceId === null || group === undefined) return null
  // As the group's newest event says it: of others of one batch the values may differ.
  const { type, value }: { readonly type: string; readonly value: string } = JSON.parse(group.facts)
  return { projectId: projectId(columns.projectId[place] ?? 0), traceId, type, value }
}
