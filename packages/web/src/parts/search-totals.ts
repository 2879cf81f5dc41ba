/** How many issues saved searches find. */
import { useEffect, useState } from 'react'
import { withBasePath } from '#wire/base-path.ts'
import type { SearchLink } from './frame-data.ts'
import { paths, type Query } from './paths.ts'

type Totals = ReadonlyMap<number, number>

const NONE: Totals = new Map()

interface Asked {
  readonly searches: readonly Pick<SearchLink, 'id'>[]
  /** The list that they are counted in, as its address names it. */
  readonly list: Query
  /** Time at which the page was read: they are asked for again with it. */
  readonly nowMs: number
}

/** Returns counts by the ids of searches, empty at first: asked once the page is there, so that it waits for none of them. */
export function useSearchTotals(org: string, { searches, list, nowMs }: Asked): Totals {
  const path = paths.searchTotals(org, list)
  const [totals, setTotals] = useState({ path, of: NONE })
  const ids = searches.map(({ id }) => id).join()
  // An effect, because the page is drawn before it is asked; anew whenever the page is read anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `nowMs` tells when the page was read
  useEffect(() => {
    if (ids === '') return
    const stop = new AbortController()
    void fetchTotals(path, stop.signal).then((of) => {
      if (!stop.signal.aborted) setTotals({ path, of })
    })
    return () => stop.abort()
  }, [path, ids, nowMs])
  return totals.path === path ? totals.of : NONE
}

async function fetchTotals(path: string, signal: AbortSignal): Promise<Totals> {
  try {
    const response = await fetch(withBasePath(path), { signal, headers: { Accept: 'application/json' } })
    const answer: unknown = await response.json()
    if (typeof answer !== 'object' || answer === null || !('totals' in answer)) return NONE
    const counted = Object.entries(answer.totals ?? {}).flatMap(([id, count]) =>
      typeof count === 'number' ? [[Number(id), count] as const] : [],
    )
    return new Map(counted)
  } catch {
    // Counts are a courtesy: without an answer the searches stand without.
    return NONE
  }
}
