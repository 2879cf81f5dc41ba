/** Words of a channel's form. */
import { quantityText } from '#ui/number-text.ts'

/** Describes in numbers what is deleted with it. */
export function lossText({
  rules,
  waiting,
}: {
  readonly rules: readonly unknown[]
  readonly waiting: number
}): string {
  const used =
    rules.length === 0
      ? 'No alert rule uses it'
      : `${quantityText(rules.length, 'rule')} ${rules.length === 1 ? 'uses' : 'use'} it and will no longer notify it`
  const left =
    waiting === 0
      ? 'no messages are waiting'
      : `${quantityText(waiting, 'waiting message')} ${waiting === 1 ? 'is' : 'are'} cancelled`
  return `${used}; ${left}. Sent messages stay in the log.`
}
