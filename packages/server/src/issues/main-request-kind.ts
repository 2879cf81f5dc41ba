/** Chooses the request kind that an issue is shown with. */
import { byWord } from '#base/by-word.ts'
import type { RequestKind } from '#model/event.ts'
import { type Counts, mostFrequent } from './counts.ts'

/** Kinds that mean something to people. */
const TOLD: Readonly<Record<string, RequestKind>> = byWord({
  document: 'document',
  'page-data': 'page-data',
  prefetch: 'prefetch',
  action: 'action',
  'route-handler': 'route-handler',
  browser: 'browser',
})

/** The most frequent one that says something. */
export function mainRequestKind(kinds: Counts): RequestKind | null {
  for (const [name] of mostFrequent(kinds)) {
    const kind = TOLD[name]
    if (kind !== undefined) return kind
  }
  return null
}
