/** Own time of spans: without their children's, each moment counted once. */

/** Stretch of time in any one unit. */
export interface TimeStretch {
  readonly start: number
  readonly end: number
}

/** Returns how long a span ran without any of its children, in its own unit of time. `children`: by start. */
export function ownTime({ start, end }: TimeStretch, children: Iterable<TimeStretch>): number {
  let [taken, until] = [0, start]
  for (const child of children) {
    const from = Math.max(child.start, until)
    const to = Math.min(child.end, end)
    if (to > from) {
      taken += to - from
      until = to
    }
  }
  return Math.max(0, end - start - taken)
}
