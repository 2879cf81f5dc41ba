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
    .map((run) =>
      run
        .map(
          ({ slot, value }, at) =>
            `${at === 0 ? 'M' : 'L'}${roundToTenth((slot + 0.5) * step)} ${roundToTenth(y(value))}`,
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
  return splitIntoPointRuns(to)
    .filter((run) => run.some(({ slot, value }) => value > (from[slot] ?? 0)))
    .map((run) => {
      const [first, last] = [run[0], run.at(-1)]
      if (first === undefined || last === undefined) return ''
      const edges = [first.slot * step, (last.slot + 1) * step] as const
      const upper = run.map(
        ({ slot, value }) => `L${roundToTenth((slot + 0.5) * step)} ${roundToTenth(y(value))}`,
      )
      const base = run.map(({ slot }) => from[slot] ?? 0)
      const isFlat = base.every((value) => value === base[0])
      // Along a flat base there is nothing between its ends.
      const lower = (isFlat ? [] : run.toReversed()).map(
        ({ slot }) => `L${roundToTenth((slot + 0.5) * step)} ${roundToTenth(y(from[slot] ?? 0))}`,
      )
      return [
        `M${roundToTenth(edges[0])} ${roundToTenth(y(first.value))}`,
        ...upper,
        `L${roundToTenth(edges[1])} ${roundToTenth(y(last.value))}`,
        `L${roundToTenth(edges[1])} ${roundToTenth(y(from[last.slot] ?? 0))}`,
        ...lower,
        `L${roundToTenth(edges[0])} ${roundToTenth(y(from[first.slot] ?? 0))}Z`,
      ].join('')
    })
    .join('')
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
