import { useZone } from '#ui/time.tsx'
import { type ChosenRange, chosenText } from './chosen-range.ts'
import { type RangeKey, rangeOf } from './ranges.ts'

/** What the range menu of a page says: the range, or the part of a chart that was chosen. */
export function RangeName(props: {
  readonly address: { readonly range: RangeKey; readonly chosen: ChosenRange | null }
}) {
  const { range, chosen } = props.address
  const zone = useZone()
  return chosen === null ? rangeOf(range).label : chosenText(chosen, zone)
}

/** The same for the middle of a sentence: `24 h`, or from when to when. */
export function useRangeText({ range, chosen }: Parameters<typeof RangeName>[0]['address']): string {
  const zone = useZone()
  return chosen === null ? rangeOf(range).short : chosenText(chosen, zone)
}
