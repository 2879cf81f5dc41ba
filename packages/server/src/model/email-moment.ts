/** Which of the moments that people switch off a message is; `null` for what nobody switches off by it. */
import type { AlertMessage } from './alert-message.ts'
import type { EmailMoment } from './alert-rule.ts'

export function emailMomentOf({ moment, level }: Pick<AlertMessage, 'moment' | 'level'>): EmailMoment | null {
  if (moment === 'test' || moment === 'held') return null
  if (moment === 'resolved' || level === 'ok') return 'resolved'
  return level === 'info' ? 'issue' : level
}
