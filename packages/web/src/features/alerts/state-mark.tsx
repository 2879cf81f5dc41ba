/** Mark of a rule's state: a shape and a word, never a colour alone. */
import { Icon } from '#ui/icons.tsx'
import { Time } from '#ui/time.tsx'

export interface RuleMarks {
  /** `few`: there is too little to conclude anything. `failed`: it cannot be evaluated. */
  readonly state: 'ok' | 'warning' | 'critical' | 'failed' | 'few' | 'off'
  /** Words for it. */
  readonly few: string | null
  readonly muted: { readonly untilMs: number | null } | null
}

export function StateMark({ state, few, muted }: RuleMarks) {
  if (muted !== null && state !== 'off')
    return (
      <span className="inline-flex items-center gap-1.5 text-ink-2">
        <Ring />
        {muted.untilMs === null ? (
          'Muted'
        ) : (
          <>
            Muted until <Time ms={muted.untilMs} form="moment" />
          </>
        )}
      </span>
    )
  switch (state) {
    case 'critical':
      return (
        <span className="inline-flex items-center gap-1.5 font-strong text-bad">
          <Dot />
          Critical
        </span>
      )
    case 'warning':
      return (
        <span className="inline-flex items-center gap-1.5 font-strong text-warn">
          <Triangle />
          Warning
        </span>
      )
    case 'failed':
      return (
        <span className="inline-flex items-center gap-1.5 font-strong text-bad">
          <Triangle />
          Can’t be evaluated
        </span>
      )
    case 'few':
      return (
        <span className="inline-flex items-center gap-1.5 text-ink-2">
          <Ring />
          {few}
        </span>
      )
    case 'off':
      return (
        <span className="inline-flex items-center gap-1.5 text-ink-3">
          <Ring />
          Off
        </span>
      )
    case 'ok':
      return (
        <span className="inline-flex items-center gap-1.5 text-good">
          <Icon name="check" size={14} />
          OK
        </span>
      )
  }
}

export function LevelWord({ level }: { readonly level: 'info' | 'warning' | 'critical' }) {
  if (level === 'info') return <span className="text-ink-2">fired</span>
  return level === 'critical' ? (
    <span className="inline-flex items-center gap-1.5 font-strong text-bad">
      <Dot />
      critical
    </span>
  ) : (
    <span className="inline-flex items-center gap-1.5 font-strong text-warn">
      <Triangle />
      warning
    </span>
  )
}

/** The shape alone, where the words stand beside it. */
export function AlertLevelMark({ level }: { readonly level: 'info' | 'warning' | 'critical' | 'ok' }) {
  const Shape = level === 'critical' ? Dot : level === 'warning' ? Triangle : Ring
  return (
    <span className="mt-1 shrink-0">
      <Shape />
      <span className="visually-hidden">{level === 'info' ? '' : `${level}: `}</span>
    </span>
  )
}

function Dot() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" className="shrink-0">
      <circle cx="6" cy="6" r="5" className="fill-bad-fill" />
    </svg>
  )
}

function Triangle() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" className="shrink-0">
      <path d="M6 1 11.5 11H.5Z" className="fill-warn-fill" />
    </svg>
  )
}

function Ring() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" className="shrink-0">
      <circle cx="6" cy="6" r="4.3" fill="none" strokeWidth="1.4" className="stroke-ink-3" />
    </svg>
  )
}
