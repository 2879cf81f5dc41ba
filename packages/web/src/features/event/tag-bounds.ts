/** Which tags of an issue are not told apart, in words. Pure. */
import type { IssueView } from '@errata/server/queries'
import { numberText, quantityText } from '#ui/number-text.ts'

/** `hasOther`: some key has events whose value is not kept apart. `null` where everything is told apart. */
export function boundsText(hasOther: boolean, bounds: IssueView['tagBounds']): string | null {
  const { isFull, tags } = bounds
  const values = hasOther
    ? [
        `Of a key, the first ${numberText(bounds.valuesMax)} values are kept apart; “other” are all beyond, ` +
          'and values removed with a person’s data.',
      ]
    : []
  const keys = isFull
    ? [
        `An issue keeps ${numberText(bounds.keysMax)} tag keys apart beside those Errata derives` +
          `${tags === 0 ? '' : `; ${quantityText(tags, 'tag')} of other keys are not shown here`}.`,
      ]
    : []
  if (values.length + keys.length === 0) return null
  return [...values, ...keys, 'Each event shows its own tags, and search finds it by them.'].join(' ')
}
