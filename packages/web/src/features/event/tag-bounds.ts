/** Which tags of an issue are not told apart, in words. Pure. */
import type { IssueView } from '@errata/server/queries'
import { numberText, quantityText } from '#ui/number-text.ts'

/**
 * Says what of the tags is counted together. `hasOther`: some key has events whose value is not kept apart. `null`
 * where everything is told apart.
 */
export function boundsText(hasOther: boolean, bounds: IssueView['tagBounds']): string | null {
  const { isFull, tags } = bounds
  const values = hasOther
    ? [
        `The first ${numberText(bounds.valuesMax)} values of a key are counted; “other” is the rest, ` +
          'and values deleted with a user’s data.',
      ]
    : []
  const keys = isFull
    ? [
        `An issue counts ${numberText(bounds.keysMax)} tag keys beside those Errata adds` +
          `${tags === 0 ? '' : `; ${quantityText(tags, 'tag')} of other keys are not shown here`}.`,
      ]
    : []
  if (values.length + keys.length === 0) return null
  return [...values, ...keys, 'Each event shows all its tags, and search finds them.'].join(' ')
}
