/**
 * End of an issue's archiving, as an argument of a change: `events-100`, `users-10`, `minutes-1440`. Pure.
 */
import { numberText } from '#ui/number-text.ts'
import { spanText } from '#ui/time-text.ts'

export const ARCHIVE_UNTIL = [
  'events-10',
  'events-100',
  'events-1000',
  'events-10000',
  'users-10',
  'users-100',
]
export const ARCHIVE_FOR = ['minutes-60', 'minutes-1440', 'minutes-10080', 'minutes-43200']

/** `100 more events`, `10 more users`, `1 d`. */
export function archiveEndText(end: string): string {
  const [unit = '', text = ''] = end.split('-')
  const value = Number(text)
  return unit === 'minutes' ? spanText(value * 60_000) : `${numberText(value)} more ${unit}`
}
