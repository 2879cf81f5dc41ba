/** Conditions on what any part of a segment says: SDKs that stream spans send those of a request as they end. */
import { hasWildcard } from '#model/text-pattern.ts'
import type { SegmentFilter } from '#ports/traces.ts'
import type { FileRows, Parameters } from './conditions.ts'
import { GS, listText } from './row-lines.ts'
import { ROWS } from './table-sql.ts'
import { meets, wildPattern } from './text-conditions.ts'

const SEGMENT_KEY = ['project_id', 'trace_id', 'segment_id'] as const

/** Conditions on what spans say that may have come apart from their segment. */
export function partConditions(
  { ops = [], httpStatuses = [], repeats }: SegmentFilter,
  parameters: Parameters,
  attached: FileRows,
): readonly string[] {
  return [
    ...(repeats === true ? [ofAnyPart(attached, (row) => `${row}.repeated IS NOT NULL`)] : []),
    ...ops.map((op) => ofAnyPart(attached, opCondition(op, parameters))),
    ...httpStatuses.map(({ from, to, negated }) => {
      const bounds = `BETWEEN ${parameters.add(from)} AND ${parameters.add(to)}`
      // As it is shown: a status of the segment itself comes before what its parts say.
      const hasStatus = (row: string) => `coalesce(${row}.http_status ${bounds}, false)`
      const isWithin = `(${hasStatus('e')} OR (e.http_status IS NULL AND ${ofAnyPart(attached, hasStatus)}))`
      return negated ? `NOT ${isWithin}` : isWithin
    }),
  ]
}

/** Any of its operations; lists are texts with a separator before, between and behind their entries. */
function opCondition(op: string, parameters: Parameters): (row: string) => string {
  const text = parameters.add(hasWildcard(op) ? wildPattern(`*${GS}${op}${GS}*`) : listText([op]))
  if (!hasWildcard(op)) return (row) => `contains(coalesce(${row}.ops, ''), ${text})`
  return (row) => meets(`coalesce(${row}.ops, '')`, text)
}

/** Condition on segments: `condition` of the row, by its alias, holds for the segment's own row or one that came apart from it. */
function ofAnyPart({ alias }: FileRows, condition: (row: string) => string): string {
  const keyOf = (row: string) => SEGMENT_KEY.map((name) => `${row}.${name}`).join(', ')
  return (
    `(${condition('e')} OR (${keyOf('e')}) IN (SELECT (${keyOf('p')}) FROM ${alias}.${ROWS} p ` +
    `WHERE NOT p.has_root AND p.segment_id IS NOT NULL AND ${condition('p')}))`
  )
}
