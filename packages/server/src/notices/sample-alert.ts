/** The alert that tests and previews show: what a real one looks like, and says that it is none. */
import { digest } from '#base/ids.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import type { RuleDraft } from '#model/alert-rule.ts'
import { conditionOf, measureWords, momentsSentence, valueWords } from '#model/alert-words.ts'

export function sampleAlert(
  organisation: AlertMessage['organisation'],
  { atMs, isTest }: { readonly atMs: number; readonly isTest: boolean },
): AlertMessage {
  return {
    atMs,
    moment: isTest ? 'test' : 'fired',
    level: 'info',
    organisation,
    project: null,
    rule: null,
    headline: isTest ? 'Test alert: this channel works' : 'Regressed: TypeError in OrderTotals',
    because: isTest ? 'sent from the channel’s settings' : 'a resolved issue regressed',
    issue: isTest
      ? null
      : {
          ...{
            shortId: 'SHOP-12',
            title: "TypeError: Cannot read properties of undefined (reading 'amount')",
          },
          ...{ function: 'OrderTotals', place: 'app/orders/[id]/totals.tsx:41', culprit: '/orders/[id]' },
          ...{ level: 'error', kinds: ['document', 'page-data'], route: '/orders/[id]' },
          ...{ environment: 'production', release: '2026.11.20-2', firstRelease: '2026.11.20-2' },
          ...{ digest: digest('2674428404'), eventId: null, traceId: null, eventCount: 31, userCount: 19 },
          ...{ firstSeenMs: atMs, lastSeenMs: atMs, assignee: null, suspect: 'c41f9e2 by Rosa Kim' },
        },
    metric: null,
    gathered: null,
    story: isTest ? `test-${atMs}` : 'sample',
  }
}

/** Ids begin at 1. */
const UNSAVED = 0

/**
 * Builds what a rule would send, about the sample issue or a value at its threshold. `ruleId`: once it is
 * saved.
 */
export function sampleOfRule(
  draft: RuleDraft,
  sent: {
    readonly organisation: AlertMessage['organisation']
    readonly atMs: number
    readonly ruleId: number | null
  },
): AlertMessage {
  const { organisation, atMs, ruleId } = sent
  const rule = { id: ruleId ?? UNSAVED, name: draft.name }
  const sample = { ...sampleAlert(organisation, { atMs, isTest: false }), rule }
  if (draft.kind === 'issue') {
    const because = momentsSentence(draft)
    return { ...sample, because, headline: `${draft.name}: TypeError in OrderTotals` }
  }
  const { measure, critical, warning } = draft.when
  const level = critical === null ? 'warning' : 'critical'
  const value = valueWords(measure, critical ?? warning ?? 0)
  const condition = conditionOf(draft.when, level)
  return {
    ...{ ...sample, level, because: condition, headline: `${draft.name}: ${value}, ${level}`, issue: null },
    metric: { name: measureWords(measure), value, condition, detail: null, mostly: null },
  }
}
