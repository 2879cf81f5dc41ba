import { useZone } from '#ui/time.tsx'
import { type ChosenRange, chosenText } from './chosen-range.ts'
import { type RangeKey, rangeOf } from './ranges.ts'

/** Name on a page's range menu: the range, or the chosen part of a chart. */
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
