/** A sparkline with the cursor of the page: it says what stands under the pointer, and follows the other charts. */
import { useId } from 'react'
import { leaveCursor, moveCursor, useCursor } from './cursor-store.ts'
import { Readout } from './readout.tsx'
import { Sparkline, type SparklineProps } from './sparkline.tsx'

export function LiveSparkline(
  props: Omit<SparklineProps, 'marks'> & {
    readonly startMs: number
    readonly stepMs: number
    readonly textOf: (slot: number) => { readonly head: string; readonly name: string; readonly text: string }
    readonly releaseAt: (slot: number) => string | null
    /** Beginnings of releases. */
    readonly marksMs: readonly number[]
  },
) {
  const { startMs, stepMs, textOf, releaseAt, marksMs, ...chart } = props
  const { values, height } = chart
  const id = useId()
  const cursor = useCursor()
  const at = cursor === null || cursor.kind !== 'time' ? -1 : (cursor.value - startMs) / stepMs
  const slot = at >= 0 && at < values.length ? Math.floor(at) : null
  const share = slot === null ? 0 : (slot + 0.5) / values.length
  const marks = marksMs.map((ms) => (ms - startMs) / (stepMs * values.length))
  return (
    <span
      className="relative block w-fit"
      onPointerMove={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect()
        const hit = Math.floor(((event.clientX - left) / width) * values.length)
        const value = startMs + (Math.min(values.length - 1, Math.max(0, hit)) + 0.5) * stepMs
        moveCursor({ kind: 'time', value, owner: id })
      }}
      onPointerLeave={() => leaveCursor(id)}
    >
      <Sparkline {...chart} marks={marks.filter((mark) => mark >= 0 && mark <= 1)} />
      {slot === null ? null : (
        <svg width="100%" height={height} aria-hidden="true" className="pointer-events-none absolute inset-0">
          <line x1={`${share * 100}%`} x2={`${share * 100}%`} y1="0" y2={height} className="stroke-accent" />
        </svg>
      )}
      {slot === null || cursor?.owner !== id ? null : (
        <Readout
          head={textOf(slot).head}
          readings={[{ ...textOf(slot), tone: null }]}
          share={share}
          release={releaseAt(slot)}
        />
      )}
    </span>
  )
}
