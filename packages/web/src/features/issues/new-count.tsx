import { useEffect, useState } from 'react'
import { listQuery } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { quantityText } from '#ui/number-text.ts'
import { useNow } from '#ui/time.tsx'
import { inBase } from '#wire/base-path.ts'
import { useRevalidator } from '#wire/router.ts'
import type { IssueListData } from './issue-list.server.ts'

const POLL_MS = 15_000

/** "3 issues have new events": they wait behind a count, the list itself never jumps. Its place is always there. */
export function NewCount({ data }: { readonly data: IssueListData }) {
  const count = useNews(data)
  const { revalidate, state } = useRevalidator()
  if (count === 0) return null
  return (
    <button
      type="button"
      aria-live="polite"
      className="link text-12 whitespace-nowrap max-phone:min-h-11"
      disabled={state === 'loading'}
      onClick={() => void revalidate()}
    >
      {quantityText(count, 'issue has', 'issues have')} new events
    </button>
  )
}

function useNews(data: IssueListData): number {
  const { org, address, nowMs } = data
  const path = paths.issueNews(org, { ...listQuery(address, { cursor: null }), since: nowMs })
  const [news, setNews] = useState({ path, count: 0 })
  const now = useNow()
  // An effect, because it asks the server while somebody looks; a page in the background asks nothing.
  useEffect(() => {
    const stop = new AbortController()
    const timer = setInterval(async () => {
      if (document.hidden) return
      const count = await ask(path, stop.signal)
      if (count !== null && !stop.signal.aborted) setNews({ path, count })
    }, POLL_MS)
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [path])
  return news.path === path && now >= nowMs ? news.count : 0
}

async function ask(path: string, signal: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch(inBase(path), { signal, headers: { Accept: 'application/json' } })
    const answer: unknown = await response.json()
    if (typeof answer !== 'object' || answer === null || !('count' in answer)) return null
    return typeof answer.count === 'number' ? answer.count : null
  } catch {
    // No answer this time; the next one is 15 s away, and the list says when it was read.
    return null
  }
}
