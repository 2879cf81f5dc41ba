/** Completes a term about releases, newest first, with the events of each. Pure. */
import { completeText } from '#model/complete-text.ts'
import { parseRelease, type ReleaseParts, readOnce } from '#model/release-order.ts'
import { RELEASE_STAGES, type ReleaseQuestion } from '#model/release-question.ts'
import type { ReleaseOfProject, ReleaseSuggestion, SuggestedReleases } from '#ports/releases.ts'
import { releaseMeaning } from './release-meaning.ts'

export function suggestedReleases(
  releases: readonly ReleaseOfProject[],
  { part, prefix, within, nowMs, limit }: SuggestedReleases,
): readonly ReleaseSuggestion[] {
  return completeText(allSuggested(releases, { part, prefix, nowMs }), { prefix, within }).slice(0, limit)
}

function allSuggested(
  releases: readonly ReleaseOfProject[],
  { part, prefix, nowMs }: Omit<SuggestedReleases, 'limit' | 'within'>,
): readonly ReleaseSuggestion[] {
  const [sign] = /^(?:>=|<=|>|<)/.exec(prefix) ?? []
  if (sign !== undefined) return part === 'stage' ? [] : comparableParts(releases, part, sign)
  const meaning = releaseMeaning(releases, nowMs)
  const asked = (text: string, question: ReleaseQuestion): ReleaseSuggestion => ({
    text,
    count: (meaning(question) ?? []).reduce((sum, { eventCount }) => sum + eventCount, 0),
  })
  if (part === 'stage') return RELEASE_STAGES.map((stage) => asked(stage, { is: 'staged', stage }))
  const values = countParts(releases, part)
  return part === 'name' && values.length > 0 ? [asked('latest', { is: 'latest' }), ...values] : values
}

type Counted = Exclude<SuggestedReleases['part'], 'stage'>

function countParts(releases: readonly ReleaseOfProject[], part: Counted): readonly ReleaseSuggestion[] {
  const byName = new Map<string, number>()
  for (const { version: name, eventCount } of releases) byName.set(name, eventCount + (byName.get(name) ?? 0))
  const counts = new Map<string, number>()
  for (const [name, count] of byName) {
    const text = part === 'name' ? name : parseRelease(name)[part]
    if (text !== null) counts.set(text, count + (counts.get(text) ?? 0))
  }
  return [...counts].map(([text, count]) => ({ text, count }))
}

/** Returns releases to compare with, behind the sign that was typed. The search decides how many match. */
function comparableParts(
  releases: readonly ReleaseOfProject[],
  part: Counted,
  sign: string,
): readonly ReleaseSuggestion[] {
  if (part === 'package') return []
  const names = [...new Map(releases.map((release) => [release.version, release])).values()]
  const texts = readOnce(names).flatMap(({ parts }) => releasePartText(parts, part) ?? [])
  return [...new Set(texts)].map((text) => ({ text: `${sign}${text}`, count: null }))
}

function releasePartText({ numbers, version, build }: ReleaseParts, part: Counted): string | null {
  if (part === 'build') return build !== null && /^\d{1,15}$/.test(build) ? build : null
  return numbers === null ? null : version
}
