/** Parts of queries about affected people, and the files they read. */
import type { Clock } from '#base/clock.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { type FragmentRow, SPAN } from '#kinds/span/fields.ts'
import { byNewest, type FileName } from '#model/file-name.ts'
import type { Columns } from '#ports/columns.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { PeopleReads } from '#ports/people.ts'
import type { EventReads, TelemetryStore } from '#ports/telemetry.ts'
import type { TraceReads } from '#ports/traces.ts'
import { otherPeopleDatasets, type PersonDataParts } from '../person-data.ts'

export interface PeopleParts extends PersonDataParts {
  readonly telemetry: PeopleReads &
    Pick<EventReads<EventRow>, 'groupsMatching' | 'events'> &
    Pick<TraceReads<FragmentRow>, 'segments' | 'fragments'> &
    Pick<TelemetryStore, 'files'> &
    Columns
  readonly issues: Pick<IssuesRead, 'issueOfGroup'>
  readonly clock: Clock
}

/** Returns files whose rows name people, newest first. */
export async function peopleFiles({
  telemetry,
  datasets,
}: Pick<PeopleParts, 'telemetry' | 'datasets'>): Promise<readonly FileName[]> {
  const kinds = new Set([ERROR, SPAN, ...otherPeopleDatasets({ datasets }).map(({ table }) => table.kind)])
  return (await telemetry.files()).filter(({ kind }) => kinds.has(kind)).sort(byNewest)
}
