/** Lines of a chart as paths. Pure. */

interface Box {
  readonly width: number
  readonly height: number
  readonly top: number
}

/** The values that no line reaches, for dots that are larger than the line is wide. */
export function alonePath(values: readonly (number | null)[], box: Box): string {
  const isThere = (at: number) => (values[at] ?? null) !== null
  return linePath(
    values.map((value, at) => (isThere(at - 1) || isThere(at + 1) ? null : value)),
    box,
  )
}

/**
 * A path over values of equal distance, from 0 to `width`, `top` at 0 and nothing at `height`. Where a value is missing
 * the line breaks; one that stands alone is a dot.
 */
export function linePath(values: readonly (number | null)[], { width, height, top }: Box): string {
  const step = values.length <= 1 ? 0 : width / (values.length - 1)
  const parts: string[] = []
  let isOpen = false
  for (const [at, value] of values.entries()) {
    if (value === null) {
      isOpen = false
      continue
    }
    const place = `${round(at * step)} ${round(height - (Math.min(value, top) / top) * height)}`
    // A line of no length shows its round end.
    const isAlone = !isOpen && (values[at + 1] ?? null) === null
    parts.push(`${isOpen ? 'L' : 'M'}${place}${isAlone ? 'h0' : ''}`)
    isOpen = true
  }
  return parts.join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
