/** Mark of a message's state: a shape and words, never a colour alone. */
import type { MessageState } from '@errata/server/queries'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '#ui/icons.tsx'

const MARKS: Readonly<Record<MessageState, { readonly icon: IconName; readonly ink: string }>> = {
  sent: { icon: 'check', ink: 'text-good' },
  failed: { icon: 'close', ink: 'text-bad' },
  waiting: { icon: 'clock', ink: 'text-ink-3' },
  sending: { icon: 'clock', ink: 'text-ink-3' },
  gathered: { icon: 'merge', ink: 'text-ink-3' },
  cancelled: { icon: 'archive', ink: 'text-ink-3' },
}

export function AnswerMark({
  state,
  children,
}: {
  readonly state: MessageState
  readonly children: ReactNode
}) {
  const { icon, ink } = MARKS[state]
  return (
    <span
      className={`inline-flex items-start gap-1.5 ${state === 'failed' ? 'font-strong text-bad' : state === 'sent' ? '' : 'text-ink-2'}`}
    >
      <Icon name={icon} size={14} className={`mt-0.5 shrink-0 ${ink}`} />
      <span className="foreign">{children}</span>
    </span>
  )
}
