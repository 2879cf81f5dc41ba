import { listQuery } from '#parts/list-address.ts'
import { usePolledCount } from '#parts/polled-count.ts'
import { quantityText } from '#ui/number-text.ts'
import { useNow } from '#ui/time.tsx'
import { useRevalidator } from '#wire/router.ts'
import type { IssueListData } from './issue-list.server.ts'
import { issuesPaths } from './paths.ts'

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
  const path = issuesPaths.issueNews(org, { ...listQuery(address, { cursor: null }), since: nowMs })
  const count = usePolledCount(path, { everyMs: POLL_MS })
  const now = useNow()
  return now >= nowMs ? (count ?? 0) : 0
}
