/** What completes a term about releases, newest first, with the events that each has. Pure. */
import { RELEASE_STAGES } from '#issues/release-stage.ts'
import { readRelease } from '#model/release-order.ts'
import type { ReleaseOfProject } from '#ports/releases.ts'
import type { Suggestion } from '../types.ts'
import type { ReleasePart } from './fields.ts'
import { releasesMeant } from './release-terms.ts'

export function releaseSuggestions(
  releases: readonly ReleaseOfProject[],
  { part, prefix, nowMs }: SuggestedPart,
): readonly Suggestion[] {
  const [sign] = /^(?:>=|<=|>|<)/.exec(prefix) ?? []
  if (sign !== undefined) return part === 'stage' ? [] : compared(releases, part, sign)
  const meant = releasesMeant(releases, nowMs)
  const named = (key: string, text: string): Suggestion => {
    const names = new Set(
      (meant({ key, value: text, negated: false }) ?? []).map(
        ({ projectId, value }) => `${projectId} ${value}`,
      ),
    )
    const found = releases.filter(({ projectId, version }) => names.has(`${projectId} ${version}`))
    return { text, count: found.reduce((sum, { eventCount }) => sum + eventCount, 0) }
  }
  if (part === 'stage') return RELEASE_STAGES.map((stage) => named('release.stage', stage))
  const values = counted(releases, part)
  return part === 'name' && values.length > 0 ? [named('release', 'latest'), ...values] : values
}

interface SuggestedPart {
  readonly part: ReleasePart | 'name'
  readonly prefix: string
  readonly nowMs: number
}

function counted(releases: readonly ReleaseOfProject[], part: Exclude<ReleasePart, 'stage'> | 'name') {
  const counts = new Map<string, number>()
  for (const { version: name, eventCount } of releases) {
    const text = part === 'name' ? name : readRelease(name)[part]
    if (text !== null) counts.set(text, eventCount + (counts.get(text) ?? 0))
  }
  return [...counts].map(([text, count]): Suggestion => ({ text, count }))
}

/** What can be compared with, behind the sign that was typed. How much that finds is left to the search. */
function compared(
  releases: readonly ReleaseOfProject[],
  part: Exclude<ReleasePart, 'stage'> | 'name',
  sign: string,
): readonly Suggestion[] {
  if (part === 'package') return []
  const texts = releases.flatMap(({ version: name }) => {
    const { numbers, version, build } = readRelease(name)
    if (part === 'build') return build !== null && /^\d{1,15}$/.test(build) ? [build] : []
    return numbers === null ? [] : [version]
  })
  return [...new Set(texts)].map((text) => ({ text: `${sign}${text}`, count: null }))
}
