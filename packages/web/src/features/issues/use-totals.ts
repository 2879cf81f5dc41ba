import { useEffect, useState } from 'react'
import { listQuery } from '#parts/list-address.ts'
import { withBasePath } from '#wire/base-path.ts'
import type { IssueListData } from './issue-list.server.ts'
import { issuesPaths } from './paths.ts'

type Totals = ReadonlyMap<number, number>

const NONE: Totals = new Map()

/** How many issues the saved searches find, by their ids: asked once the list is there, so that it waits for none of them. */
export function useTotals({ org, address, searches, nowMs }: IssueListData): Totals {
  const path = issuesPaths.searchTotals(org, listQuery(address, { query: '', sort: 'date' }))
  const [totals, setTotals] = useState({ path, of: NONE })
  const ids = searches.map(({ id }) => id).join()
  // An effect, because the list is drawn before it is asked; anew whenever the list is read anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `nowMs` tells when the list was read
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
