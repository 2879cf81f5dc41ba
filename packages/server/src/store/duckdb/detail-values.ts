/** Counts details beside tags, for suggestions. One statement per file. */
import { hasDetails } from '#model/fields.ts'
import { foldAscii } from '#model/text-pattern.ts'
import type { DetailValuesAsked, EventFilter } from '#ports/telemetry.ts'
import { fromProjects, literalPattern, Parameters } from './conditions.ts'
import { filesInRange } from './event-reads.ts'
import type { ReadContext } from './read-context.ts'
import { escapeElement, GS, splitListText } from './row-lines.ts'
import { DETAILS } from './table-sql.ts'

/** The sum over files stays right for what is frequent in any of them. */
const VALUES_PER_FILE_MAX = 200

/** Same as `EventReads.detailValues`. */
export async function readDetailValues(
  context: ReadContext,
  filter: Omit<EventFilter, 'groups'>,
  asked: DetailValuesAsked,
): Promise<readonly { readonly value: string; readonly count: number }[]> {
  const { files, query, scope, rules, table } = context
  if (scope.projects.length === 0 || !hasDetails(table)) return []
  const counts = new Map<string, number>()
  for (const { file } of await filesInRange(context, filter)) {
    const rows = await files.read(file, [], (attached) => {
      const parameters = new Parameters()
      const from = fromProjects(attached, scope, { filter, parameters, rules, file })
      const entry = `${GS}${asked.key}=`
      const says = `contains(${DETAILS}, ${parameters.add(entry)})`
      const pattern = parameters.add(`${literalPattern(entry)}([^${GS}]*)`)
      const values = `list_distinct(regexp_extract_all(${DETAILS}, ${pattern}, 1))`
      const text = parameters.add(foldAscii(escapeElement(asked.prefix)))
      const fits = asked.isAnywhere === true ? 'contains' : 'starts_with'
      return query(
        `SELECT value, count(*)::DOUBLE FROM (SELECT unnest(${values}) AS value ${from} AND ${says}) ` +
          `WHERE ${fits}(lower(value), ${text}) GROUP BY value ORDER BY 2 DESC, 1 LIMIT ${VALUES_PER_FILE_MAX}`,
        parameters.values,
      )
    })
    for (const [written, count] of rows) {
      const [value = ''] = splitListText(`${GS}${String(written)}${GS}`)
      counts.set(value, Number(count) + (counts.get(value) ?? 0))
    }
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, asked.limit)
}
