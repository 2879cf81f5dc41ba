/** A number that a page asks the server for again while somebody looks at it. */
import { useEffect, useState } from 'react'
import { withBasePath } from '#wire/base-path.ts'

interface Asked {
  readonly path: string
  readonly loaded: number | undefined
  readonly count: number | null
}

interface Polling {
  readonly everyMs: number
  /** Number that the page itself states: once it changes, earlier answers count no more. */
  readonly loaded?: number
}

/** Returns the last `count` that the address answered, or `null` before the first; asked for again every `everyMs`. */
export function usePolledCount(path: string, { everyMs, loaded }: Polling): number | null {
  const [asked, setAsked] = useState<Asked>({ path, loaded, count: null })
  // An effect, because it asks the server while somebody looks; a page in the background asks nothing.
  useEffect(() => {
    const stop = new AbortController()
    const timer = setInterval(async () => {
      if (document.hidden) return
      const count = await fetchCount(path, stop.signal)
      if (count !== null && !stop.signal.aborted) setAsked({ path, loaded, count })
    }, everyMs)
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [path, everyMs, loaded])
  return asked.path === path && asked.loaded === loaded ? asked.count : null
}

async function fetchCount(path: string, signal: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch(withBasePath(path), { signal, headers: { Accept: 'application/json' } })
    const answer: unknown = await response.json()
    if (typeof answer !== 'object' || answer === null || !('count' in answer)) return null
    return typeof answer.count === 'number' ? answer.count : null
  } catch {
    // No answer this time; it is asked again.
    return null
  }
}
