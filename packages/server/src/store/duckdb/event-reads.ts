/** Reading one row, the rows of a file, and the groups that files hold: one statement per file. */
import type { EventId, ProjectId } from '#base/ids.ts'
import type { RowTable, StoredRow } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import type { EventFilter, EventLike, MatchingGroup } from '#ports/telemetry.ts'
import { fromProjects, Parameters } from './conditions.ts'
import type { FileFacts } from './file-tables.ts'
import { MatchingGroups, matchingGroup, SUMS } from './matching-groups.ts'
import type { ReadContext } from './read-context.ts'
import { ROWS, readAnswerRow, selectShown, selectWhole } from './table-sql.ts'

interface KnownFile {
  readonly file: FileName
  readonly facts: FileFacts
}

/** Same as `TelemetryStore.event`. */
export async function readEventOfFile<R extends EventLike>(
  context: ReadContext<R>,
  file: FileName,
  of: { readonly project: ProjectId; readonly id: EventId },
): Promise<R | null> {
  if (!context.scope.projects.includes(of.project) || !context.files.has(file)) return null
  const rows = await context.files.read(file, [], ({ alias }) =>
    context.query(
      `SELECT ${selectShown(context.table)} FROM ${alias}.${ROWS} e ` +
        'WHERE e.project_id = $1::BIGINT AND e.event_id = $2 ORDER BY e.seq DESC LIMIT 1',
      [of.project, of.id],
    ),
  )
  const row = rows[0] === undefined ? null : readAnswerRow(context.table, rows[0], file)
  return row === null || context.rules.hides(row, file) ? null : row
}

/** Same as `EventReads.groupsMatching`. */
export async function readGroupsMatching(
  context: ReadContext,
  filter: Omit<EventFilter, 'groups'>,
  limit: number,
): Promise<readonly MatchingGroup[]> {
  const found = new MatchingGroups()
  if (context.scope.projects.length === 0) return []
  for (const { file } of await filesInRange(context, filter)) {
    if (found.size >= limit) break
    for (const row of await groupsOfFile(context, file, { filter, limit })) {
      if (found.size < limit || found.has(row)) found.add(row)
    }
  }
  return found.all()
}

async function groupsOfFile(
  { files, query, scope, rules }: ReadContext,
  file: FileName,
  part: { readonly filter: Omit<EventFilter, 'groups'>; readonly limit: number },
): Promise<readonly MatchingGroup[]> {
  const rows = await files.read(file, [], (attached) => {
    const parameters = new Parameters()
    const from = fromProjects(attached, scope, { filter: part.filter, parameters, rules, file })
    // The newest groups: an answer that a limit cuts should be the one that people look for.
    return query(
      `SELECT ${SUMS} ${from} ` +
        `GROUP BY e.project_id, e.group_hash ORDER BY max(e.seq) DESC LIMIT ${Math.max(1, Math.floor(part.limit))}`,
      parameters.values,
    )
  })
  return rows.map(matchingGroup)
}

/** The named files that exist and may hold rows of the time range, in the order they were named. */
export async function filesInRange(
  { files, table }: Pick<ReadContext, 'files'> & { readonly table: Pick<RowTable, 'kind'> },
  { files: named, startMs, endMs }: Omit<EventFilter, 'groups'>,
): Promise<KnownFile[]> {
  const unique = [...new Map(named.map((file) => [fileStem(file), file])).values()]
  const kept: KnownFile[] = []
  for (const file of unique) {
    if (file.kind !== table.kind || !files.has(file)) continue
    const facts = await files.facts(file)
    if (facts.leastMs === null || facts.greatestMs === null) continue
    if (startMs !== undefined && facts.greatestMs < startMs) continue
    if (endMs !== undefined && facts.leastMs >= endMs) continue
    kept.push({ file, facts })
  }
  return kept
}

/** Same as `TelemetryStore.rows`. */
export async function readRows(
  { files, query }: Pick<ReadContext, 'files' | 'query'>,
  file: FileName,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<readonly StoredRow[]> {
  return files.read(file, [], async ({ alias, table }) => {
    const sql = `SELECT ${selectWhole(table)} FROM ${alias}.${ROWS} e WHERE e.seq > $1::BIGINT ORDER BY e.seq LIMIT $2::BIGINT`
    return (await query(sql, [afterSeq, limit])).map((values) => readAnswerRow(table, values, file))
  })
}
