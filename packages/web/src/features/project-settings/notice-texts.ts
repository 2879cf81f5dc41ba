/** Deliveries and what was held back, in words. Pure. */
import type { NoticesView } from '@errata/server/queries'
import { numberText, quantityText } from '#ui/number-text.ts'
import { spanText } from '#ui/time-text.ts'

type DeliveryGroup = NoticesView['log'][number]['deliveries'][number]

/** "3 emails sent", "webhook, try 2 of 10 failed: Answered 503. Next try in 1 min". */
export function deliveryText(
  group: DeliveryGroup,
  { nowMs, triesMax }: { readonly nowMs: number; readonly triesMax: number },
): string {
  const { channel, state, count, tries, nextMs } = group
  const what = channel === 'mail' ? quantityText(count, 'email') : 'webhook'
  const says = group.says === null ? '' : `: ${group.says}`
  switch (state) {
    case 'sent':
      return channel === 'mail' ? `${what} sent` : `${what} called${says}`
    case 'sending':
      return `${what} sending`
    case 'cancelled':
      return `${what} cancelled${says}`
    case 'failed':
      return `${what} failed after ${quantityText(tries, 'try', 'tries')}${says}${receiversText(group)}`
    case 'waiting':
      return tries === 0
        ? `${what} waiting`
        : `${what}, try ${tries} of ${triesMax} failed${says} ${nextText(nextMs, nowMs)}`
  }
}

export function isTrouble(state: DeliveryGroup['state']): boolean {
  return state === 'failed'
}

function nextText(nextMs: number | null, nowMs: number): string {
  const wait = nextMs === null ? 0 : nextMs - nowMs
  return wait < 10_000 ? 'Next try now.' : `Next try in ${spanText(wait)}.`
}

/** " To ada@example.com and 2 more." */
function receiversText({ receivers, count }: DeliveryGroup): string {
  if (receivers.length === 0) return ''
  const rest = count - receivers.length
  return ` To ${receivers.join(', ')}${rest > 0 ? ` and ${numberText(rest)} more` : ''}.`
}

/** "400 more new issues, 12 more that came back". */
export function restText(rest: NonNullable<NoticesView['log'][number]['rest']>): string {
  const parts = [
    rest.newIssues > 0 ? quantityText(rest.newIssues, 'more new issue') : '',
    rest.returnedIssues > 0 ? quantityText(rest.returnedIssues, 'more regression') : '',
    rest.echoIssues > 0 ? quantityText(rest.echoIssues, 'more browser copy', 'more browser copies') : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** "Held back in 24 h: 3 returns during quiet hours, 412 issues in summaries". */
export function heldBackText({ quiet, mirror, summarised, dropped }: NoticesView['heldBack']): string {
  const parts = [
    quiet > 0 ? `${quantityText(quiet, 'regression')} of issues alerted recently` : '',
    mirror > 0 ? quantityText(mirror, 'browser copy', 'browser copies') : '',
    summarised > 0 ? `${quantityText(summarised, 'issue')} in summaries` : '',
    dropped > 0 ? `${quantityText(dropped, 'change')} dropped because too many were waiting` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'Nothing held back in 24 h' : `Held back in 24 h: ${parts.join(', ')}`
}
