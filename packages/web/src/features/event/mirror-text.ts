/** Texts about browser copies. Pure. */
import type { IssueView } from '@errata/server/queries'
import { numberText, quantityText } from '#ui/number-text.ts'

type Half = IssueView['mirrors']['halves'][number]

/** "matched by digest", "same trace", "same route within 12 s, medium confidence". */
export function matchText({
  match,
  confidence,
  distanceMs,
}: Pick<Half, 'match' | 'confidence' | 'distanceMs'>) {
  if (match === 'digest') return 'matched by digest'
  if (match === 'deploy')
    return confidence === 'high' ? 'same deploy' : `same deploy, ${confidence} confidence`
  if (match === 'trace') return confidence === 'high' ? 'same trace' : `same trace, ${confidence} confidence`
  const within = Math.max(1, Math.ceil((distanceMs ?? 0) / 1_000))
  return `same route within ${numberText(within)} s, ${confidence} confidence`
}

/** "Chrome 140 and 2 more browsers, 5 pages". */
export function seenInText(tags: IssueView['tags']): string {
  const of = (key: string) => tags.find((tag) => tag.key === key)
  const [browsers, pages] = [of('browser'), of('url')]
  const [first] = browsers?.values ?? []
  const others = (browsers?.valuesKept ?? 0) - 1
  return [
    ...(first === undefined
      ? []
      : [others === 0 ? first.value : `${first.value} and ${quantityText(others, 'more browser')}`]),
    ...(pages === undefined || pages.valuesKept === 0 ? [] : [quantityText(pages.valuesKept, 'page')]),
  ].join(', ')
}

/** `''` where there are none. */
export function elsewhereText(events: number): string {
  if (events === 0) return ''
  return `${quantityText(events, 'event')} in projects you can’t read`
}
