/** Text of the cursor, beside it. It exists in the browser only, where places may be styles. */
import { FILL } from './chart-tones.ts'
import type { Reading } from './readings.ts'

/** Time, values with their units, and the release; on the side of the cursor with more room. `share`: where it stands. */
export function Readout(props: {
  readonly head: string
  readonly readings: readonly Omit<Reading, 'value'>[]
  readonly share: number
  readonly release: string | null
}) {
  const { head, readings, share, release } = props
  const place =
    share > 0.5
      ? { right: `calc(${((1 - share) * 100).toFixed(2)}% + 10px)` }
      : { left: `calc(${(share * 100).toFixed(2)}% + 10px)` }
  return (
    <span aria-hidden="true" className="chart-readout num" style={place}>
      <span className="text-ink-3">{head}</span>
      {readings.map(({ name, text, tone }) => (
        <span key={name} className="flex items-center gap-1.5">
          {tone === null || tone === 'hatch' ? null : (
            <svg width="8" height="8" aria-hidden="true" className="shrink-0">
              <rect width="8" height="8" className={FILL[tone]} />
            </svg>
          )}
          <span className="foreign text-ink-2">{name}</span>
          <span className="ms-auto ps-3 font-strong">{text}</span>
        </span>
      ))}
      {release === null ? null : (
        <span className="flex gap-1.5 text-ink-3">
          release <span className="foreign ms-auto ps-3 text-ink-2">{release}</span>
        </span>
      )}
    </span>
  )
}
