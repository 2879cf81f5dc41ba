/** Fields of a channel's form. Those of secrets say so in their names: what they hold is never put into a page again. */
import { quantityText } from '#ui/number-text.ts'
import type { ChannelField } from './channels.server.ts'

const SECRET = 'secret-'
const SETTING = 'value-'

export function fieldName({ name, isSecret }: Pick<ChannelField, 'name' | 'isSecret'>): string {
  return `${isSecret ? SECRET : SETTING}${name}`
}

/** Values by the names that the kind's own fields have. */
export function channelValues(typed: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(typed))
    for (const prefix of [SECRET, SETTING])
      if (name.startsWith(prefix)) values[name.slice(prefix.length)] = value
  return values
}

/** What goes with it, in numbers. */
export function lossText({
  rules,
  waiting,
}: {
  readonly rules: readonly unknown[]
  readonly waiting: number
}): string {
  const used =
    rules.length === 0
      ? 'No rule notifies it'
      : `${quantityText(rules.length, 'rule')} ${rules.length === 1 ? 'notifies' : 'notify'} it and won’t any longer`
  const left =
    waiting === 0
      ? 'no message waits for it'
      : `${quantityText(waiting, 'waiting message')} ${waiting === 1 ? 'is' : 'are'} cancelled`
  return `${used}; ${left}. What was sent stays in the log.`
}
