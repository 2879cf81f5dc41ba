/** Lines and areas as paths. Pure. A point is the middle of its slot. */

export interface RunPoint {
  readonly slot: number
  readonly value: number
}

/** Stretches without a gap. */
export function splitIntoPointRuns(values: readonly (number | null)[]): readonly (readonly RunPoint[])[] {
  const runs: RunPoint[][] = []
  let isOpen = false
  for (const [slot, value] of values.entries()) {
    if (value === null) isOpen = false
    else if (isOpen) runs.at(-1)?.push({ slot, value })
    else {
      runs.push([{ slot, value }])
      isOpen = true
    }
  }
  return runs
}

/** Draws a line that breaks where a value is missing; one that stands alone is a dot. */
export function linePath(
  values: readonly (number | null)[],
  { step, y }: { readonly step: number; readonly y: (value: number) => number },
): string {
  return splitIntoPointRuns(values)
    .map((run) => polyline(run.map(({ slot, value }) => [(slot + 0.5) * step, y(value)])))
    .map((line) => (line.includes('l') ? line : `${line}h0`))
    .join('')
}

/** Between two lines, from edge to edge of what is known. */
export function areaPath(of: {
  readonly from: readonly number[]
  readonly to: readonly (number | null)[]
  readonly width: number
  readonly y: (value: number) => number
}): string {
  const { from, to, width, y } = of
  const step = width / Math.max(1, to.length)
  return splitIntoPointRuns(to)
    .filter((run) => run.some(({ slot, value }) => value > (from[slot] ?? 0)))
    .map((run) => {
      const [first, last] = [run[0], run.at(-1)]
      if (first === undefined || last === undefined) return ''
      const [start, end] = [first.slot * step, (last.slot + 1) * step]
      const base = run.map(({ slot }) => from[slot] ?? 0)
      const isFlat = base.every((value) => value === base[0])
      // Along a flat base there is nothing between its ends.
      const lower = isFlat ? [] : run.toReversed()
      return `${polyline([
        [start, y(first.value)],
        ...run.map(({ slot, value }) => [(slot + 0.5) * step, y(value)] as const),
        [end, y(last.value)],
        [end, y(from[last.slot] ?? 0)],
        ...lower.map(({ slot }) => [(slot + 0.5) * step, y(from[slot] ?? 0)] as const),
        [start, y(from[first.slot] ?? 0)],
      ])}z`
    })
    .join('')
}

/**
 * Returns the path through points, each as the step from the one before: a page has two hundred of these, and places
 * would be half as long again. Steps are between rounded places, so that no error adds up.
 */
function polyline(points: readonly (readonly [x: number, y: number])[]): string {
  let [fromX, fromY] = [0, 0]
  return points
    .map(([x, y], at) => {
      const [toX, toY] = [Math.round(x * 10), Math.round(y * 10)]
      const step = `${at === 0 ? 'M' : 'l'}${(toX - fromX) / 10} ${(toY - fromY) / 10}`
      fromX = toX
      fromY = toY
      return step
    })
    .join('')
    .replaceAll(' -', '-')
}
