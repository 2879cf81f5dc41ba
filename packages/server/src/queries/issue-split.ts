/** *Split by message*: the fingerprint rule that takes an issue apart by what its events say, and the issues that it makes. */
import { max } from '#limits/limits.ts'
import { parseGroupingRules } from '#model/grouping-rules.ts'
import type { Issue, IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import { eventFilter } from './events/event-reads.ts'
import { type PreviewParts, withPayloads } from './grouping-preview.ts'
import type { IssueSplit } from './issue-split-types.ts'
import type { RegroupedEvent } from './regrouping.ts'

/** A rule may have ten `*` in a pattern. */
const STARS_MAX = 8
const NAME_CHARS_MAX = 200
/** Events that are read before others have their turn: one may take as long as its budget of steps. */
const AT_ONCE = 1

interface SplitParts extends Omit<PreviewParts, 'issues'> {
  readonly issues: Pick<IssuesRead, 'issue' | 'groups'>
}

/** Nothing is changed. `null`: no such issue. */
export async function issueSplit(
  parts: SplitParts,
  scope: ReadScope,
  ref: string,
): Promise<IssueSplit | { readonly rule: null } | null> {
  const issue = await parts.issues.issue(scope, ref)
  const project = issue === null ? null : await parts.projects.project(scope, String(issue.projectId))
  if (issue === null || project === null) return null
  const rule = splitRule(issue)
  if (rule === null) return { rule }
  const now = project.options.fingerprintingRules
  const isSet = now.split('\n').some((line) => line.trim() === rule)
  const rules = isSet ? now : withRule(now, rule)
  const line = parseGroupingRules(rules).rules.find(({ text }) => text === rule)?.line ?? null
  const groups = (await parts.issues.groups(scope, issue.id)).filter(
    (group) => group.projectId === project.id,
  )
  const page = { limit: max('splitPreviewEvents'), cursor: null }
  const { rows } = await parts.telemetry.events(scope, eventFilter(groups), page)
  const found: RegroupedEvent[] = []
  let steps = 0
  for (let at = 0; at < rows.length && steps < max('groupingPreviewStepsMax'); at += AT_ONCE) {
    const some = await withPayloads(parts, rows.slice(at, at + AT_ONCE))
    const payloads = some.map(({ payload }) => payload)
    const regrouped = await parts.regrouping.regroup({ payloads, rules, now })
    steps += regrouped.reduce((sum, each) => sum + each.steps, 0)
    found.push(...regrouped)
  }
  return { rule, project: project.slug, isSet, looked: found.length, ...splitGroups(found, line) }
}

/** Events newest first: an issue is called by its newest. */
function splitGroups(found: readonly RegroupedEvent[], line: number | null) {
  const made = new Map<string, { readonly title: string; events: number }>()
  let kept = 0
  for (const each of found) {
    if (each.hash === null || each.line !== line) {
      kept += 1
      continue
    }
    const known = made.get(each.hash)
    if (known === undefined) made.set(each.hash, { title: each.title, events: 1 })
    else known.events += 1
  }
  const issues = [...made.values()].sort((one, other) => other.events - one.events)
  return { kept, issues: issues.slice(0, max('splitPreviewIssues')), count: issues.length }
}

/** The rules with one more at their end: those that are there go before it. */
function withRule(rules: string, rule: string): string {
  const before = rules.trimEnd()
  return before === '' ? rule : `${before}\n${rule}`
}

/** `null` of a message, which its text groups anyway, and where no function says who makes the error. */
export function splitRule({ type, function: name }: Pick<Issue, 'type' | 'function'>): string | null {
  if (type === 'Message' || type === '' || name === null || name === '') return null
  return `error.type:${pattern(type)} stack.function:${pattern(name)} -> {{ default }}, {{ message }}`
}

/** Quoted; what compilers number is left open. */
function pattern(text: string): string {
  const cut = text.length > NAME_CHARS_MAX ? `${text.slice(0, NAME_CHARS_MAX)}*` : text
  const parts = cut.split(/\d+|\*+/)
  const open = parts.length <= STARS_MAX ? parts.join('*') : `${parts.slice(0, STARS_MAX).join('*')}*`
  return `"${open.replaceAll(/["\\]/g, '\\$&').replaceAll(/\s+/g, ' ')}"`
}
