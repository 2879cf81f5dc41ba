/** Recent lookups in this browser: the way back without the number. */
import { useEffect, useState } from 'react'
import { paths } from '#parts/paths.ts'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadDigest } from './digest.server.ts'
import { keepDigests, type RecentDigest } from './recent-digests.ts'

export function Lately() {
  const { lookup, nowMs } = usePageData<typeof loadDigest>()
  const [recent, setRecent] = useState<readonly RecentDigest[]>([])
  // An effect, because only the browser knows what it looked up before.
  useEffect(() => {
    const answered = (lookup?.answers ?? []).map((answer) => ({
      digest: answer.digest,
      title: answer.seen ? (answer.matches[0]?.issue.title ?? '') : '',
      atMs: nowMs,
    }))
    setRecent(keepDigests(answered))
  }, [lookup, nowMs])
  if (recent.length === 0) return null
  return (
    <section aria-label="Recent lookups" className={lookup === null ? 'mt-8' : 'mt-8 max-wide:hidden'}>
      <h2 className="border-b pb-2 text-13 font-strong">Recent lookups</h2>
      <ul>
        {recent.map(({ digest, title, atMs }) => (
          <li
            key={digest}
            className="flex min-h-8 items-center gap-3 border-b text-13 max-phone:min-h-11 max-phone:flex-wrap"
          >
            <PageLink to={paths.digest(digest)} className="num link link-alone">
              {digest}
            </PageLink>
            <span
              className={`foreign min-w-0 flex-1 truncate ${title === '' ? 'text-ink-3' : 'text-ink-2'}`}
              title={title}
            >
              {title === '' ? 'not seen' : title}
            </span>
            <span className="num shrink-0 text-12 text-ink-3">
              <Time ms={atMs} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
