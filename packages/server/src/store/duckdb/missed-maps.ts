/** Reads missed maps by debug id: three statements a file, over two narrow columns. */
import { eventId as asEventId } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { MapFrames, MissedMap, MissedMapCounts, MissedMapsFilter } from '#ports/missed-maps.ts'
import { fromProjects, Parameters } from './conditions.ts'
import type { ReadContext } from './read-context.ts'
import { allColumns } from './table-columns.ts'

const COLUMN = 'missed_maps'
const FRAMES = 'map_frames'
/** Mark of files without a debug id, as `missedText` of the error kind writes them. */
const WITHOUT_ID = '-'

type Answer = Awaited<ReturnType<MissedMapCounts['missedMaps']>>

export async function readMissedMaps(
  context: ReadContext,
  filter: MissedMapsFilter,
  limit: number,
): Promise<Answer> {
  const isReadable = context.scope.projects.includes(filter.project)
  if (!isReadable || !allColumns(context.table).some(({ name }) => name === COLUMN))
    return { events: 0, missed: [], frames: NO_FRAMES }
  const found = new Map<string, MissedMap>()
  let [events, frames] = [0, NO_FRAMES]
  for (const file of filter.files) {
    if (file.kind !== context.table.kind || !context.files.has(file)) continue
    const answer = await readMissedOfFile(context, file, { filter, limit })
    events += answer.events
    frames = addMapFrames(frames, answer.frames)
    for (const one of answer.missed) addMissedMap(found, one)
  }
  const missed = [...found.values()].sort((a, b) => b.events - a.events).slice(0, limit)
  return { events, missed, frames }
}

const NO_FRAMES: MapFrames = { needed: 0, resolved: 0, events: 0 }

function addMapFrames(one: MapFrames, other: MapFrames): MapFrames {
  return {
    needed: one.needed + other.needed,
    resolved: one.resolved + other.resolved,
    events: one.events + other.events,
  }
}

function addMissedMap(found: Map<string, MissedMap>, one: MissedMap): void {
  const key = one.debugId ?? `-${one.release ?? ''}`
  const known = found.get(key)
  const newer = known === undefined || one.newest.atMs >= known.newest.atMs ? one : known
  found.set(key, { ...newer, events: one.events + (known?.events ?? 0) })
}

function readMissedOfFile(
  { files, query, scope, rules }: ReadContext,
  file: FileName,
  part: { readonly filter: MissedMapsFilter; readonly limit: number },
): Promise<Answer> {
  const { project, startMs } = part.filter
  return files.read(file, { events: 0, missed: [], frames: NO_FRAMES }, async (attached) => {
    const parameters = new Parameters()
    const own = { ...scope, projects: [project] }
    const from = fromProjects(attached, own, { filter: { startMs }, parameters, rules, file })
    const rows = `${from} AND e.${COLUMN} IS NOT NULL`
    const [[count] = []] = await query(`SELECT count(*)::DOUBLE ${rows}`, parameters.values)
    const [[needed, resolved, unread] = []] = await query(
      `SELECT sum(n)::DOUBLE, sum(d)::DOUBLE, (count(*) FILTER (d < n))::DOUBLE FROM (` +
        `SELECT split_part(e.${FRAMES}, '/', 1)::BIGINT AS d, split_part(e.${FRAMES}, '/', 2)::BIGINT AS n ` +
        `${from} AND e.${FRAMES} IS NOT NULL)`,
      parameters.values,
    )
    const missed = await query(
      `SELECT m, arg_max(r, t), count(*)::DOUBLE, arg_max(i, t), max(t)::DOUBLE FROM (` +
        `SELECT unnest(string_split(e.${COLUMN}, ' ')) AS m, e.release AS r, e.event_id AS i, e.timestamp_ms AS t ${rows}) ` +
        `GROUP BY m, CASE WHEN m = '${WITHOUT_ID}' THEN coalesce(r, '') END ` +
        `ORDER BY 3 DESC LIMIT ${Math.max(1, Math.floor(part.limit))}`,
      parameters.values,
    )
    return {
      events: Number(count ?? 0),
      frames: { needed: Number(needed ?? 0), resolved: Number(resolved ?? 0), events: Number(unread ?? 0) },
      missed: missed.map(([name, release, times, eventId, atMs]) => ({
        debugId: name === WITHOUT_ID ? null : String(name),
        release: release === null || release === undefined ? null : String(release),
        events: Number(times),
        newest: { eventId: asEventId(String(eventId)), atMs: Number(atMs) },
      })),
    }
  })
}
