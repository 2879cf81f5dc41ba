/**
 * Events of a tab that outlived several deploys: one group for each, so that each deploy is one issue. Their own group says
 * the tab's build alone; which deploy that is of, the control store knows. What is stored decides, so that a batch that
 * comes again ends the same.
 */
import { assert } from '#base/errors.ts'
import type { GroupHash } from '#base/ids.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import type { RowEncoding } from '#ports/telemetry.ts'
import { exchangeRows } from '../exchange-rows.ts'
import { eventIdAt } from '../row-columns.ts'
import { ERRORS } from './fields.ts'
import { staleClicks } from './stale-clicks.ts'
import { type ColumnGroup, type EventPart, eventColumns } from './sum.ts'

export interface ApartOptions {
  readonly control: Pick<ControlCommit, 'staleGroups'>
  readonly encoding: RowEncoding
}

/** By place. */
type Moved = ReadonlyMap<number, GroupHash>

/** The very same part where nothing has to move. `places`: of the events that are stored, in ascending order. */
export async function staleApart(
  part: EventPart,
  places: readonly number[],
  { control, encoding }: ApartOptions,
): Promise<EventPart> {
  const moved = await movedTo(part, places, control)
  if (moved.size === 0) return part
  const columns = eventColumns(part)
  const byId = new Map([...moved].map(([place, to]) => [eventIdAt(columns, place), to]))
  const exchanged = exchangeRows(ERRORS, part, new Set(moved.keys()), {
    encoding,
    change: (row) => ({ ...row, groupHash: byId.get(row.eventId) ?? row.groupHash }),
  })
  const stale = part.sums.stale.map((half) => ({ ...half, group: moved.get(half.place) ?? half.group }))
  return { ...exchanged, sums: { ...part.sums, ...regroupMoved(part, moved), stale } }
}

async function movedTo(
  part: EventPart,
  places: readonly number[],
  control: ApartOptions['control'],
): Promise<Moved> {
  const stored = new Set(places)
  const told = part.sums.stale.filter(({ place }) => stored.has(place))
  if (told.length === 0) return new Map()
  const groups = await control.staleGroups(staleClicks(eventColumns(part), places))
  return new Map(
    told.flatMap(({ place, group }, index) => {
      const to = groups[index] ?? group
      return to === group ? [] : [[place, to] as const]
    }),
  )
}

function regroupMoved({ sums }: EventPart, moved: Moved) {
  const groups = [...sums.groups]
  const group = sums.group.slice()
  for (const [place, hash] of moved) {
    const own = groups[group[place] ?? 0]
    assert(own !== undefined, 'every event names a group of its batch')
    group[place] = placeOfGroup(groups, { ...own, hash })
  }
  return { groups, group }
}

function placeOfGroup(groups: ColumnGroup[], wanted: ColumnGroup): number {
  const known = groups.findIndex(
    ({ projectId, hash }) => projectId === wanted.projectId && hash === wanted.hash,
  )
  return known === -1 ? groups.push(wanted) - 1 : known
}
