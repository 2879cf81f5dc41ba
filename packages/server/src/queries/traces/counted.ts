/** Requests of which what came apart from them knows more: their rows say what they said of themselves. */
import type { FragmentRow } from '#kinds/span/fields.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import { segmentKey } from './segment-key.ts'

/** Rows of the kind and route that figures count them under, and ended as figures have it. */
export async function withCounted(
  requests: Pick<RequestsRead, 'countedAs'>,
  scope: ReadScope,
  rows: readonly FragmentRow[],
): Promise<readonly FragmentRow[]> {
  const segments = rows.flatMap(({ projectId, traceId, segmentId, hasRoot }) =>
    segmentId === null || !hasRoot ? [] : [{ projectId, traceId, segmentId }],
  )
  const found = await requests.countedAs(scope, segments)
  const counted = new Map(found.map((one) => [segmentKey(one), one]))
  return rows.map((row) => {
    const as = counted.get(segmentKey(row))
    if (as === undefined) return row
    const { kind: requestKind, route, end } = as
    const action = requestKind === 'action' ? (row.action ?? as.action) : row.action
    // A request without a route is counted under its name.
    return { ...row, requestKind, action, end, route: route === row.name ? row.route : route }
  })
}
