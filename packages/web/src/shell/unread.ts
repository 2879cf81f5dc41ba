/** The count of unread entries beside the person's name: as the page came with it, then as the server says. */
import { useEffect, useState } from 'react'
import { paths } from '#parts/paths.ts'
import { inBase } from '#wire/base-path.ts'

const POLL_MS = 30_000
/** Counted up to one more. */
const SHOWN_MAX = 99

/** Returns how many are unread, asked for again while somebody looks at the page. */
export function useUnread(loaded: number): number {
  const [asked, setAsked] = useState({ loaded, count: loaded })
  // An effect, because it asks the server while somebody looks; a page in the background asks nothing.
  useEffect(() => {
    const stop = new AbortController()
    const timer = setInterval(async () => {
      if (document.hidden) return
      const count = await ask(stop.signal)
      if (count !== null && !stop.signal.aborted) setAsked({ loaded, count })
    }, POLL_MS)
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [loaded])
  return asked.loaded === loaded ? asked.count : loaded
}

export function unreadText(unread: number): string {
  return unread > SHOWN_MAX ? `${SHOWN_MAX}+` : String(unread)
}

async function ask(signal: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch(inBase(paths.inboxUnread()), {
      signal,
      headers: { Accept: 'application/json' },
    })
    const answer: unknown = await response.json()
    if (typeof answer !== 'object' || answer === null || !('count' in answer)) return null
    return typeof answer.count === 'number' ? answer.count : null
  } catch {
    // No answer this time; the next one is half a minute away.
    return null
  }
}
