/** Regroups stored events by people's patterns, on a thread that accepts nothing. */
import type { GroupHash } from '#base/ids.ts'
import { type AskedRules, askRules, withoutProjectRules } from '#group/project-rules.ts'
import { storedTitle } from '#kinds/error/read-again.ts'
import { recogniseEvent } from '#kinds/error/recognised.ts'
import { type GroupingRule, parseGroupingRules } from '#model/grouping-rules.ts'
import { asScrubbed, readStoredEvent } from './events/stored-event.ts'

export interface RegroupedEvent {
  /** Line of the rule that decides; `null`: none does. */
  readonly line: number | null
  readonly title: string
  /** Group by the rule that decides; `null` if none does. */
  readonly hash: GroupHash | null
  /** Whether its group or title is another one than now. */
  readonly isChanged: boolean
  /** The rules take more steps than one event may. */
  readonly isCut: boolean
  readonly steps: number
}

export interface Regrouping {
  /** Regroups stored payloads, in order. `rules` and `now` as people write them. */
  regroup(asked: {
    readonly payloads: readonly Uint8Array[]
    readonly rules: string
    readonly now: string
  }): Promise<readonly RegroupedEvent[]>
}

export function createRegrouping(): Regrouping {
  const parse = rememberLast((text) => parseGroupingRules(text).rules)
  const parseNow = rememberLast((text) => parseGroupingRules(text).rules)
  return {
    regroup: async ({ payloads, rules, now }) =>
      payloads.map((payload) => regroupPayload(payload, { rules: parse(rules), now: parseNow(now) })),
  }
}

/** Slices of one preview come after each other. */
function rememberLast<Value>(compute: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, value: compute(text) }
    return last.value
  }
}

function regroupPayload(
  payload: Uint8Array,
  { rules, now }: Readonly<Record<'rules' | 'now', readonly GroupingRule[]>>,
): RegroupedEvent {
  const event = withoutProjectRules(asScrubbed(readStoredEvent(payload)))
  const [after, before] = [askRules(event, rules), askRules(event, now)]
  const line = rules.find(({ text }) => text === after.event.groupingRule?.rule)?.line ?? null
  const hash = line === null ? null : recogniseEvent(after.event).grouping.hash
  return {
    hash,
    ...{ line, title: storedTitle(after.event).title, isChanged: !isSameGrouping({ before, after }) },
    ...{ isCut: after.isCut, steps: after.steps + before.steps },
  }
}

function isSameGrouping({ before, after }: Readonly<Record<'before' | 'after', AskedRules>>) {
  // Hashes of what no rule touched are the same, and cost more than the rules.
  const isTouched = [before, after].some((each) => each.event.groupingRule !== undefined)
  if (!isTouched) return true
  const hashOf = (each: AskedRules) => recogniseEvent(each.event).grouping.hash
  return (
    hashOf(before) === hashOf(after) && storedTitle(before.event).title === storedTitle(after.event).title
  )
}
