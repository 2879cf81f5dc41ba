import { useEffect, useState } from 'react'
import { paths } from '#parts/paths.ts'
import { typedTerm } from './list-params.ts'

const NONE: readonly string[] = []
const WAIT_MS = 120
const SHOWN_MAX = 12

/** Completions of the term at the end of `draft`; none while nothing is typed. */
export function useSuggestions(org: string, draft: string): readonly string[] {
  const term = typedTerm(draft)
  const path = term === null ? null : paths.issueSuggestions(org, { key: term.key, prefix: term.prefix })
  const [found, setFound] = useState<{ readonly path: string; readonly words: readonly string[] } | null>(
    null,
  )
  // An effect, because the answer comes from the server while somebody types; the last question wins.
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const words = await ask(path, stop.signal)
      if (!stop.signal.aborted) setFound({ path, words })
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [path])
  return path === null ? NONE : (found?.words ?? NONE)
}

async function ask(path: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const response = await fetch(path, { signal, headers: { Accept: 'application/json' } })
    const answer: unknown = await response.json()
    if (typeof answer !== 'object' || answer === null || !('suggestions' in answer)) return NONE
    const { suggestions } = answer
    if (!Array.isArray(suggestions)) return NONE
    return suggestions.filter((word) => typeof word === 'string').slice(0, SHOWN_MAX)
  } catch {
    // Suggestions are a courtesy: without an answer the field works as before.
    return NONE
  }
}
