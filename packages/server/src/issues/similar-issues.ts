/** Which issues of one type may be the same failure, by what is told of each: where it was thrown, and what it says. */
import { max } from '#limits/limits.ts'
import type { AlikeIssue, Likeness, SimilarIssue } from '#ports/grouping.ts'

type Facts = Pick<AlikeIssue, 'type' | 'value' | 'title' | 'filename' | 'function'>

const RANK: Readonly<Record<Likeness, number>> = { place_and_message: 2, place: 1, message: 0 }

/** Most alike first, of equals the one with more events. */
export function similarTo(issue: Facts, others: readonly AlikeIssue[]): readonly SimilarIssue[] {
  return others
    .flatMap((other) => {
      const likeness = likenessOf(issue, other)
      return likeness === null ? [] : [{ ...other, likeness }]
    })
    .toSorted((a, b) => RANK[b.likeness] - RANK[a.likeness] || b.eventCount - a.eventCount || a.id - b.id)
    .slice(0, max('similarIssuesShown'))
}

export function likenessOf(a: Facts, b: Facts): Likeness | null {
  if (a.type !== b.type) return null
  const isOfPlace = a.filename !== null && a.filename === b.filename && a.function === b.function
  const shape = messageShape(comparedText(a))
  const isOfMessage = shape !== '' && shape === messageShape(comparedText(b))
  if (isOfPlace) return isOfMessage ? 'place_and_message' : 'place'
  return isOfMessage ? 'message' : null
}

function comparedText({ value, title }: Facts): string {
  return value === '' ? title : value
}

/** Beyond it texts differ in details that no rule of shapes tells apart. */
const SHAPE_CHARS = 500

/** A message without what differs from event to event: ids and numbers are blanked. */
export function messageShape(text: string): string {
  return text
    .slice(0, SHAPE_CHARS)
    .replaceAll(/[\w-]*\d[\w-]*/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
