/** Reads errors that name their trace: from narrow columns, newest files first. */
import { groupHash, projectId } from '#base/ids.ts'
import { byNewest } from '#model/file-name.ts'
import type { ErrorPlace, EventFilter, EventLike } from '#ports/telemetry.ts'
import { fromGroups, fromProjects, groupsWithin, Parameters, visibleGroups } from './conditions.ts'
import type { ReadContext } from './read-context.ts'

interface TracedError extends ErrorPlace {
  readonly groupHash: EventLike['groupHash']
}

/** Same as `EventReads.tracedErrors`. */
export async function readTracedErrors<R extends EventLike>(
  { table, files, query, scope, rules }: ReadContext<R>,
  asked: Pick<EventFilter, 'files' | 'startMs' | 'endMs'> & { readonly groups: EventFilter['groups'] | null },
  limit: number,
): Promise<readonly TracedError[]> {
  const errors: TracedError[] = []
  const { groups, files: _, ...filter } = asked
  const named = groups === null ? null : visibleGroups(scope, groups, rules)
  const known = asked.files.filter((file) => file.kind === table.kind && files.has(file)).sort(byNewest)
  for (const file of known) {
    if (errors.length >= limit || scope.projects.length === 0) break
    const within = named === null ? null : groupsWithin(named, rules, file)
    if (within?.hashes.length === 0) continue
    const found = await files.read(file, [], (attached) => {
      const parameters = new Parameters()
      const from =
        within === null
          ? fromProjects(attached, scope, { filter, parameters, rules, file })
          : fromGroups(attached, within, { filter, parameters })
      return query(
        'SELECT e.project_id::DOUBLE, e.trace_id, e.span_id, e.timestamp_ms, e.group_hash ' +
          `${from} AND e.trace_id IS NOT NULL ORDER BY e.timestamp_ms DESC LIMIT ${limit - errors.length}`,
        parameters.values,
      )
    })
    for (const [project, traceId, spanId, atMs, hash] of found)
      errors.push({
        ...{ projectId: projectId(Number(project)), traceId: String(traceId), atMs: Number(atMs) },
        spanId: spanId === null ? null : String(spanId),
        groupHash: groupHash(String(hash)),
      })
  }
  return errors
}
