import { Time } from '#ui/time.tsx'
import type { ActivityWords } from './activity-text.ts'

const TONES = {
  normal: 'font-strong text-ink',
  bad: 'font-strong text-bad',
  good: 'font-strong text-good',
} as const

/** "Rosa Kim **resolved** it 2 d". */
export function ActivityLine({
  entry,
}: {
  readonly entry: { readonly atMs: number; readonly words: ActivityWords }
}) {
  const { who, verb, rest, tone } = entry.words
  return (
    <span className="foreign text-ink-2">
      {who === '' ? null : `${who} `}
      <span className={TONES[tone]}>{verb}</span> {rest}{' '}
      <span className="text-ink-3">
        <Time ms={entry.atMs} />
      </span>
    </span>
  )
}
