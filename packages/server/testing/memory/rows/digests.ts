/** Digests: many lead to one group; one row a release. */
import { digestAfter } from '#issues/digest-sums.ts'
import { max } from '#limits/limits.ts'
import type { DigestDelta } from '#ports/ingest.ts'
import { descending, inOrder } from '../order.ts'
import type { DigestRow, Tables } from '../tables.ts'

export const newestDigestFirst = inOrder<DigestRow>(
  descending(({ lastMs }) => lastMs),
  descending(({ id }) => id),
)

export function addDigests(to: Tables, groupId: number, added: readonly DigestDelta[]): void {
  if (added.length === 0) return
  for (const { hasPayload, ...state } of added) {
    const known = to.digests.find(
      (row) => row.groupId === groupId && row.digest === state.digest && row.release === state.release,
    )
    const id = known?.id ?? to.digests.nextId()
    const after = known === undefined ? state : digestAfter(known, { ...state, hasPayload })
    to.digests.put(id, { ...after, id, groupId })
  }
  for (const { id } of digestsOf(to, groupId).slice(max('digestsPerGroupMax'))) to.digests.delete(id)
}

/** Newest first. */
export function digestsOf(of: Tables, groupId: number): readonly DigestRow[] {
  return of.digests.where((row) => row.groupId === groupId).sort(newestDigestFirst)
}
