/** Problems and scrubbing rules of an event in words. Pure. */
import type { EventView } from '@errata/server/queries'
import type { StoredEvent } from '#parts/issue-types.ts'

export type Problem = EventView['problems'][number]
export type ScrubbedPath = StoredEvent['scrubbedPaths'][number]

const PROBLEM_WORDS: Readonly<Record<Problem['rule'], string>> = {
  invalid_type: 'had the wrong type and was dropped',
  invalid_value: 'had an invalid value and was dropped',
  too_long: 'was too long and was truncated',
  too_deep: 'was nested too deep and was truncated',
  too_many: 'had too many entries; the rest was dropped',
  missing: 'was missing',
  clock_drift: 'the client’s clock was off; the time was corrected',
  past_timestamp: 'was too far in the past; the time of receipt was used',
  future_timestamp: 'was in the future; the time of receipt was used',
  unknown_level: 'was an unknown level; “error” was used',
  sdk_reported: 'was reported by the SDK itself',
  scrub_budget: 'was too large to scan for secrets; the text that was not scanned was removed',
  filters_budget: 'were not all applied: the message filters take too long for this event',
  rules_budget: 'kept its group: the fingerprint rules from this line on take too long for this event',
}

/** `exception.values.0.type`, "was missing". */
export function problemWords(problem: Problem): string {
  return PROBLEM_WORDS[problem.rule]
}

const CUT: ReadonlySet<Problem['rule']> = new Set(['too_long', 'too_many', 'too_deep'])

/** Says what was cut of the value at `path` or inside it, such as "cut, 50,002 characters were sent"; `null` for a whole one. */
export function cutRuleText(problems: readonly Problem[], path: string): string | null {
  const cuts = problems.filter(
    (one) => CUT.has(one.rule) && (one.path === path || one.path.startsWith(`${path}.`)),
  )
  const [first] = cuts
  if (first === undefined) return null
  if (cuts.length > 1 || first.path !== path)
    return `cut in ${cuts.length === 1 ? 'one place' : `${cuts.length} places`}`
  if (first.rule === 'too_deep') return 'nested too deep; kept as text'
  return first.found === undefined ? 'cut' : `cut, ${first.found} were sent`
}

/** Text in pieces, the removed ones apart: `[Filtered]` stands where a secret stood. */
export function scrubbedPieces(
  text: string,
): readonly { readonly text: string; readonly isRemoved: boolean }[] {
  if (!text.includes(MARK)) return [{ text, isRemoved: false }]
  return text
    .split(MARK)
    .flatMap((piece, index) => [
      ...(index === 0 ? [] : [{ text: MARK, isRemoved: true }]),
      ...(piece === '' ? [] : [{ text: piece, isRemoved: false }]),
    ])
}

const MARK = '[Filtered]'

/** Names of the rules that took something out of `path` or below it, each once. */
export function rulesAt(paths: readonly ScrubbedPath[], path: string): readonly string[] {
  const rules = paths
    .filter((one) => one.path === path || one.path.startsWith(`${path}.`) || path.startsWith(`${one.path}.`))
    .map(({ rule }) => rule.replaceAll('_', ' '))
  return [...new Set(rules)]
}

/** Rules with how many values each took out, the most frequent first. */
export function rulesCounted(
  paths: readonly ScrubbedPath[],
): readonly { readonly rule: string; readonly paths: readonly string[] }[] {
  const byRule = new Map<string, string[]>()
  for (const { rule, path } of paths) {
    const list = byRule.get(rule)
    if (list === undefined) byRule.set(rule, [path])
    else if (!list.includes(path)) list.push(path)
  }
  return [...byRule]
    .map(([rule, list]) => ({ rule: rule.replaceAll('_', ' '), paths: list }))
    .sort((a, b) => b.paths.length - a.paths.length)
}
