/** Which of the issues found are on a page: greatest key first, ties by id, the newest first. */
import type { IssueId } from '#base/ids.ts'

interface OrderKey {
  readonly key: number
  readonly id: number
}

export interface IssuePlace extends OrderKey {
  readonly id: IssueId
}

export interface PageOrder {
  readonly way: 'next' | 'previous'
  /** `null` at the beginning. */
  readonly from: OrderKey | null
  readonly limit: number
}

export interface PlacesFound {
  /** Places next to `from`, nearest first, at most `limit`. */
  readonly places: readonly IssuePlace[]
  /** True when there are issues on the other side of `from`, or at it. */
  readonly isBehind: boolean
}

/** Finds places in one pass. A page is few of many, so most are compared with its last place and dropped. */
export function placesFrom(
  ids: readonly IssueId[],
  keys: readonly number[],
  { way, from, limit }: PageOrder,
): PlacesFound {
  const direction = way === 'next' ? -1 : 1
  const places: IssuePlace[] = []
  let isBehind = false
  for (const [index, id] of ids.entries()) {
    const key = keys[index] ?? 0
    if (from !== null && compareOrderKeys({ id, key }, from) * direction <= 0) {
      isBehind = true
      continue
    }
    const last = places[limit - 1]
    if (last !== undefined && compareOrderKeys({ id, key }, last) * direction > 0) continue
    const at = places.findIndex((place) => compareOrderKeys({ id, key }, place) * direction < 0)
    places.splice(at < 0 ? places.length : at, 0, { id, key })
    if (places.length > limit) places.pop()
  }
  return { places, isBehind }
}

export interface IssueNeighbours {
  /** From 0; `null` where the place is not among them. */
  readonly at: number | null
  readonly previous: IssueId | null
  readonly next: IssueId | null
}

/** Finds a place's neighbours in one pass. */
export function issueNeighbours(
  ids: readonly IssueId[],
  keys: readonly number[],
  place: IssuePlace,
): IssueNeighbours {
  let before = 0
  let isThere = false
  let previous: IssuePlace | null = null
  let next: IssuePlace | null = null
  for (const [index, id] of ids.entries()) {
    const other = { id, key: keys[index] ?? 0 }
    if (id === place.id) {
      isThere = true
    } else if (compareOrderKeys(other, place) > 0) {
      before += 1
      if (previous === null || compareOrderKeys(other, previous) < 0) previous = other
    } else if (next === null || compareOrderKeys(other, next) > 0) {
      next = other
    }
  }
  return { at: isThere ? before : null, previous: previous?.id ?? null, next: next?.id ?? null }
}

function compareOrderKeys(a: OrderKey, b: OrderKey): number {
  return a.key - b.key || a.id - b.id
}
