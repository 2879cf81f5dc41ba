/** Lines and areas as paths. Pure. A point is the middle of its slot. */

export interface RunPoint {
  readonly slot: number
  readonly value: number
}

/** Stretches without a gap. */
export function runsOf(values: readonly (number | null)[]): readonly (readonly RunPoint[])[] {
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
  return runsOf(values)
    .map((run) =>
      run
        .map(
          ({ slot, value }, at) => `${at === 0 ? 'M' : 'L'}${round((slot + 0.5) * step)} ${round(y(value))}`,
        )
        .join('')
        .concat(run.length === 1 ? 'h0' : ''),
    )
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
  return runsOf(to)
    .filter((run) => run.some(({ slot, value }) => value > (from[slot] ?? 0)))
    .map((run) => {
      const [first, last] = [run[0], run.at(-1)]
      if (first === undefined || last === undefined) return ''
      const edges = [first.slot * step, (last.slot + 1) * step] as const
      const upper = run.map(({ slot, value }) => `L${round((slot + 0.5) * step)} ${round(y(value))}`)
      const lower = run
        .toReversed()
        .map(({ slot }) => `L${round((slot + 0.5) * step)} ${round(y(from[slot] ?? 0))}`)
      return [
        `M${round(edges[0])} ${round(y(first.value))}`,
        ...upper,
        `L${round(edges[1])} ${round(y(last.value))}`,
        `L${round(edges[1])} ${round(y(from[last.slot] ?? 0))}`,
        ...lower,
        `L${round(edges[0])} ${round(y(from[first.slot] ?? 0))}Z`,
      ].join('')
    })
    .join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
