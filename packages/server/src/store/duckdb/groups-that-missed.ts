/** Groups of which events missed a source map: narrow columns of each file, the newest first. */
import { groupHash, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { missesMaps } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { EventPlace, MissedGroup, MissedMapsQuery } from '#ports/telemetry.ts'
import { type FileRows, fromVisible, Parameters } from './conditions.ts'
import { storedId } from './group-scan.ts'
import type { UpkeepContext } from './person-reads.ts'
import { ROWS } from './table-sql.ts'

/** Finds groups whose events missed a source map. `read`: a turn among the queries, for one file. */
export async function groupsThatMissed(
  files: readonly FileName[],
  { groupsMax, ...query }: MissedMapsQuery,
  read: (file: FileName, of: MissedMapsQuery) => Promise<readonly MissedGroup[]>,
): Promise<readonly MissedGroup[]> {
  const found = new Map<string, MissedGroup>()
  for (const file of files.slice(0, max('mendFilesMax'))) {
    if (found.size >= groupsMax) break
    // A group that an older file has too was looked at in the newer one.
    for (const group of await read(file, { ...query, groupsMax })) {
      const name = `${group.projectId}:${group.hash}`
      if (!found.has(name) && found.size < groupsMax) found.set(name, group)
    }
  }
  return [...found.values()]
}

/** Returns the groups of one file. */
export async function missedInFile(
  { files, query, rules }: UpkeepContext,
  file: FileName,
  wanted: MissedMapsQuery,
): Promise<readonly MissedGroup[]> {
  return files.read(file, [], async (rows) => {
    if (!missesMaps(rows.table)) return []
    const parameters = new Parameters()
    const visible = fromVisible(rows, rules, { file, parameters })
    const found = await query(
      'SELECT e.project_id::DOUBLE, e.group_hash, arg_max(e.event_id, e.seq), arg_min(e.event_id, e.seq) ' +
        `${visible} AND ${missedAny(rows, wanted, parameters)} ` +
        `GROUP BY e.project_id, e.group_hash ORDER BY max(e.seq) DESC LIMIT ${Math.floor(wanted.groupsMax)}`,
      parameters.values,
    )
    return found.map(([project, hash, newest, oldest]) => ({
      projectId: projectId(Number(project)),
      hash: groupHash(String(hash)),
      file,
      events: [...new Set([newest, oldest])].map(storedId),
    }))
  })
}

/** Events of one file, the newest first. */
export async function missedEvents(
  { files, query, rules }: UpkeepContext,
  file: FileName,
  wanted: Omit<MissedMapsQuery, 'groupsMax'> & { readonly limit: number },
): Promise<readonly EventPlace[]> {
  return files.read(file, [], async (rows) => {
    if (!missesMaps(rows.table)) return []
    const parameters = new Parameters()
    const visible = fromVisible(rows, rules, { file, parameters })
    const found = await query(
      `SELECT e.project_id::DOUBLE, e.event_id ${visible} AND ${missedAny(rows, wanted, parameters)} ` +
        `ORDER BY e.seq DESC LIMIT ${Math.floor(wanted.limit)}`,
      parameters.values,
    )
    return found.map(([project, id]) => ({ projectId: projectId(Number(project)), eventId: storedId(id) }))
  })
}

/** Different lists of missed ids are few, however many the events are: each is looked into once. */
function missedAny(
  { alias }: FileRows,
  { projects, debugIds, release }: Omit<MissedMapsQuery, 'groupsMax'>,
  parameters: Parameters,
): string {
  const ids = parameters.add([...debugIds])
  const lists =
    `SELECT m FROM (SELECT DISTINCT missed_maps AS m FROM ${alias}.${ROWS} WHERE missed_maps IS NOT NULL) ` +
    `WHERE list_has_any(string_split(m, ' '), ${ids}::VARCHAR[])`
  const byId = `e.missed_maps IN (${lists})`
  const isWanted = release === null ? byId : `(e.release = ${parameters.add(release)} OR ${byId})`
  const ofProjects = `e.project_id IN (SELECT unnest(${parameters.add([...projects])}::BIGINT[]))`
  return `e.missed_maps IS NOT NULL AND ${ofProjects} AND ${isWanted}`
}
