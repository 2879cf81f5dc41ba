/** What resolving missed, by debug id: two statements a file, over one narrow column. */
import { eventId as asEventId } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { MissedMap, MissedMapCounts, MissedMapsFilter } from '#ports/missed-maps.ts'
import { fromProjects, Parameters } from './conditions.ts'
import type { ReadContext } from './read-context.ts'
import { allColumns } from './table-columns.ts'

const COLUMN = 'missed_maps'
/** As `missedText` of the error kind writes files without a debug id. */
const WITHOUT_ID = '-'

type Answer = Awaited<ReturnType<MissedMapCounts['missedMaps']>>

export async function readMissedMaps(
  context: ReadContext,
  filter: MissedMapsFilter,
  limit: number,
): Promise<Answer> {
  const isReadable = context.scope.projects.includes(filter.project)
  if (!isReadable || !allColumns(context.table).some(({ name }) => name === COLUMN))
    return { events: 0, missed: [] }
  const found = new Map<string, MissedMap>()
  let events = 0
  for (const file of filter.files) {
    if (file.kind !== context.table.kind || !context.files.has(file)) continue
    const answer = await ofFile(context, file, { filter, limit })
    events += answer.events
    for (const one of answer.missed) addTo(found, one)
  }
  const missed = [...found.values()].sort((a, b) => b.events - a.events).slice(0, limit)
  return { events, missed }
}

function addTo(found: Map<string, MissedMap>, one: MissedMap): void {
  const key = one.debugId ?? `-${one.release ?? ''}`
  const known = found.get(key)
  const newer = known === undefined || one.newest.atMs >= known.newest.atMs ? one : known
  found.set(key, { ...newer, events: one.events + (known?.events ?? 0) })
}

function ofFile(
  { files, query, scope, rules }: ReadContext,
  file: FileName,
  part: { readonly filter: MissedMapsFilter; readonly limit: number },
): Promise<Answer> {
  const { project, startMs } = part.filter
  return files.read(file, { events: 0, missed: [] }, async (attached) => {
    const parameters = new Parameters()
    const own = { ...scope, projects: [project] }
    const from = fromProjects(attached, own, { filter: { startMs }, parameters, rules, file })
    const rows = `${from} AND e.${COLUMN} IS NOT NULL`
    const [[count] = []] = await query(`SELECT count(*)::DOUBLE ${rows}`, parameters.values)
    const missed = await query(
      `SELECT m, arg_max(r, t), count(*)::DOUBLE, arg_max(i, t), max(t)::DOUBLE FROM (` +
        `SELECT unnest(string_split(e.${COLUMN}, ' ')) AS m, e.release AS r, e.event_id AS i, e.timestamp_ms AS t ${rows}) ` +
        `GROUP BY m, CASE WHEN m = '${WITHOUT_ID}' THEN coalesce(r, '') END ` +
        `ORDER BY 3 DESC LIMIT ${Math.max(1, Math.floor(part.limit))}`,
      parameters.values,
    )
    return {
      events: Number(count ?? 0),
      missed: missed.map(([name, release, times, eventId, atMs]) => ({
        debugId: name === WITHOUT_ID ? null : String(name),
        release: release === null || release === undefined ? null : String(release),
        events: Number(times),
        newest: { eventId: asEventId(String(eventId)), atMs: Number(atMs) },
      })),
    }
  })
}
