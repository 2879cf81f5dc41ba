/** Finds sections of the handbook by words. Some hundred sections: they are looked at one by one. */
import { max } from '@errata/server/limits'
import type { Handbook } from './handbook.ts'

export interface FoundSection {
  readonly slug: string
  readonly anchor: string
  readonly page: string
  readonly heading: string
  /** Text around the first word that was found. */
  readonly excerpt: string
}

interface Entry extends Omit<FoundSection, 'excerpt'> {
  readonly text: string
  readonly lower: { readonly page: string; readonly heading: string; readonly text: string }
}

export type FindSections = (query: string, limit: number) => readonly FoundSection[]

export function sectionFinder({ pages, groups }: Pick<Handbook, 'pages' | 'groups'>): FindSections {
  const links = groups.flatMap((group) => group.links)
  /** Returns the names that the list gives a page. */
  const namesOf = (slug: string) => links.filter((link) => link.slug === slug).map(({ text }) => text)
  const entries = pages.flatMap(({ slug, title, sections }) =>
    sections.map(({ anchor, heading, text }): Entry => {
      const lower = {
        page: [title, ...namesOf(slug)].join(' ').toLowerCase(),
        heading: heading.toLowerCase(),
        text: text.toLowerCase(),
      }
      return { slug, anchor, page: title, heading, text, lower }
    }),
  )
  return (query, limit) => {
    const words = queryWords(query)
    if (words.length === 0) return []
    const found = entries
      .map((entry) => ({ entry, points: pointsOf(entry, words) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
    return found.slice(0, limit).map(({ entry }) => {
      const { text, lower, ...rest } = entry
      return { ...rest, excerpt: excerptOf(text, lower.text, words) }
    })
  }
}

function queryWords(query: string): readonly string[] {
  const text = query.slice(0, max('handbookQueryCharsMax')).toLowerCase()
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, max('handbookWordsMax'))
}

/** 0 unless every word is there; a heading counts more than the text below it. */
function pointsOf({ lower, anchor }: Entry, words: readonly string[]): number {
  const phrase = words.join(' ')
  // As they were typed, one behind the other.
  let points = lower.text.includes(phrase) ? 1 : 0
  for (const word of words) {
    const at = lower.heading.indexOf(word)
    const starts = at === 0 || (at > 0 && /\W/.test(lower.heading[at - 1] ?? ''))
    if (at >= 0) points += starts ? 8 : 5
    else if (lower.page.includes(word)) points += anchor === '' ? 7 : 3
    else if (lower.text.includes(word)) points += 1
    else return 0
  }
  return points
}

const BEFORE_CHARS = 60
const EXCERPT_CHARS = 180

function excerptOf(text: string, lower: string, words: readonly string[]): string {
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const from = first <= BEFORE_CHARS ? 0 : text.lastIndexOf(' ', first - BEFORE_CHARS + 20) + 1
  const cut = text.slice(from, from + EXCERPT_CHARS)
  return `${from > 0 ? '… ' : ''}${cut}${from + EXCERPT_CHARS < text.length ? ' …' : ''}`
}
