/** Offers of the focused search field: completions, the last searches, and some that are often needed. */
import { useEffect, useLayoutEffect, useState } from 'react'
import { quantityText } from '#ui/number-text.ts'
import { withBasePath } from '#wire/base-path.ts'
import { paths } from './paths.ts'
import { recentSearches } from './recent-searches.ts'
import { completeTerm, typedTerm } from './typed-term.ts'

/** An entry below the search field: a completion of what is typed, or a whole search. */
export interface Offer {
  readonly text: string
  readonly note: string
  readonly isSearch: boolean
  /** The draft, or the search, that it makes. */
  readonly result: string
  /** It is a page of its own, in place of a search. */
  readonly to?: string
}

const NONE: readonly Suggestion[] = []
const JSON_ONLY = { Accept: 'application/json' }
const WAIT_MS = 120
const SHOWN_MAX = 12

const USEFUL: readonly Offer[] = [
  ['assigned:me', 'Assigned to me'],
  ['is:for_review is:unassigned', 'For review, unassigned'],
  ['is:unhandled', 'Unhandled'],
  ['is:regressed', 'Regressed'],
  ['release:latest', 'In the latest release'],
  ['firstSeen:-24h', 'New since yesterday'],
  ['users:>10', 'More than 10 users'],
  ['events:>100', 'More than 100 events'],
].map(([text = '', note = '']) => offerOf([text, note]))

function offerOf([text, note]: OtherSearch['useful'][number]): Offer {
  return { text, note, isSearch: true, result: text }
}

/** Search of something other than issues and events. */
export interface OtherSearch {
  /** Returns the path that is asked for completions. */
  readonly pathOf: (
    org: string,
    query: { readonly key: string | null; readonly prefix: string; readonly project: readonly string[] },
  ) => string
  /** Whole searches for an empty field, with what they find. */
  readonly useful: readonly (readonly [text: string, note: string])[]
}

/** Offers below the search field. The keys are the field's, as in a combobox. */
export function SearchOffers(props: {
  readonly listId: string
  readonly org: string
  /** Projects that are suggested from; empty for all. */
  readonly projects: readonly string[]
  /** Fields of issues are offered otherwise, and searches of their list. */
  readonly of?: 'events' | OtherSearch
  readonly draft: string
  readonly chosen: number
  readonly take: (offer: Offer) => void
  readonly setKnown: (offers: readonly Offer[]) => void
}) {
  const { org, projects, of = 'issues', draft, listId, setKnown } = props
  const matching = useMatching({ org, projects, of, draft })
  const people = usePeople(org, draft)
  const offers = [...matching.slice(0, SHOWN_MAX - people.length), ...people]
  const results = offers.map(({ result }) => result).join('\n')
  // An effect, because the field, whose keys choose among them, is drawn first; before the offers are seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `results` tells when they are others
  useLayoutEffect(() => setKnown(offers), [results, setKnown])
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Suggestions"
      hidden={offers.length === 0}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-80 overflow-auto rounded-float bg-raised p-1 shadow-float"
    >
      {offers.map((offer, index) => (
        <div
          key={offer.text}
          id={`${listId}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === props.chosen}
          className="menu-item text-13"
          // Before the field loses the focus and the list goes.
          onMouseDown={(event) => {
            event.preventDefault()
            props.take(offer)
          }}
        >
          <span className="foreign min-w-0 flex-1">{offer.text}</span>
          <span className="shrink-0 text-12 text-ink-3">{offer.note}</span>
        </div>
      ))}
    </div>
  )
}

/** Completions of the term at the end of `draft`; for an empty one the last searches, and some that are often needed. */
function useMatching({ org, projects, of, draft }: Typed): readonly Offer[] {
  const suggestions = useCompletions({ org, projects, of, draft })
  if (draft.trim() !== '')
    return suggestions.map(({ text, count, of: counted }) => ({
      ...{
        text,
        note: offerCountText(count, counted ?? (typeof of === 'object' ? 'requests' : 'events')),
        isSearch: false,
        result: completeTerm(draft, text),
      },
    }))
  if (of === 'events') return []
  if (typeof of === 'object') return of.useful.map(offerOf)
  const kept = recentSearches(org)
  return [
    ...kept.map((text) => ({ text, note: 'Recent', isSearch: true, result: text })),
    ...USEFUL.filter(({ text }) => !kept.includes(text)),
  ]
}

function offerCountText(count: number | null, of: 'events' | 'issues' | 'requests'): string {
  return count === null ? '' : quantityText(count, of.slice(0, -1))
}

interface Typed {
  readonly org: string
  readonly projects: readonly string[]
  readonly of: 'events' | 'issues' | OtherSearch
  readonly draft: string
}

function suggestionsPath({
  org,
  projects,
  of,
  key,
  prefix,
}: Omit<Typed, 'draft'> & { readonly key: string | null; readonly prefix: string }): string {
  if (typeof of === 'object') return of.pathOf(org, { key, prefix, project: projects })
  return paths.issueSuggestions(org, { key, prefix, project: projects, of })
}

interface Suggestion {
  readonly text: string
  /** Number that have it; `null` if not counted. */
  readonly count: number | null
  readonly of?: 'issues'
  /** Key of a person. */
  readonly key?: string
}

interface Found {
  readonly key: string | null
  readonly suggestions: readonly Suggestion[]
}

function useCompletions({ org, projects, of, draft }: Typed): readonly Suggestion[] {
  const term = typedTerm(draft)
  const [key, prefix] = [term?.key ?? null, term?.prefix ?? '']
  const path = term === null ? null : suggestionsPath({ org, projects, of, key, prefix })
  const [found, setFound] = useState<Found | null>(null)
  // An effect, because the answer comes from the server while somebody types; the last question wins.
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const suggestions = await askSuggestions(path, stop.signal)
      if (!stop.signal.aborted) setFound({ key, suggestions })
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [path, key])
  if (term === null || found === null || found.key !== key) return NONE
  // Until the next answer comes, what still fits of the last; nothing that is there in full already.
  const typed = prefix.toLowerCase()
  // A key is found by its other names too, which only the server knows.
  return key === null
    ? found.suggestions
    : found.suggestions.filter(({ text }) => text !== prefix && text.toLowerCase().startsWith(typed))
}

const NOBODY: readonly Offer[] = []
const PERSON_CHARS_MIN = 3
/** Looking through the columns costs more than completing a key. */
const PERSON_WAIT_MS = 350

/** Affected people whom the last word may name: each is a page of its own. */
function usePeople(org: string, draft: string): readonly Offer[] {
  const term = typedTerm(draft)
  const text = term?.key === null || term?.key === 'user' ? term.prefix : ''
  const [found, setFound] = useState<{ readonly text: string; readonly offers: readonly Offer[] } | null>(
    null,
  )
  // An effect, because the answer comes from the server while somebody types; the last question wins.
  useEffect(() => {
    if (text.length < PERSON_CHARS_MIN) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const offers = await askPeople(org, text, stop.signal)
      if (!stop.signal.aborted) setFound({ text, offers })
    }, PERSON_WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [org, text])
  return found?.text === text ? found.offers : NOBODY
}

async function askPeople(org: string, text: string, signal: AbortSignal): Promise<readonly Offer[]> {
  const found = await askSuggestions(paths.peopleFound(org, { query: text }), signal)
  return found.map(({ text: shown, key = shown }) => ({
    ...{ text: shown, note: 'Person', isSearch: true, result: key, to: paths.person(org, key) },
  }))
}

/** Returns what completes a search, as the server answers it; nothing where it does not. */
export async function askSuggestions(path: string, signal?: AbortSignal): Promise<readonly Suggestion[]> {
  try {
    const response = await fetch(withBasePath(path), { signal: signal ?? null, headers: JSON_ONLY })
    const answer: unknown = await response.json()
    if (typeof answer !== 'object' || answer === null || !('suggestions' in answer)) return NONE
    const { suggestions } = answer
    if (!Array.isArray(suggestions)) return NONE
    return suggestions.filter(isSuggestion).slice(0, SHOWN_MAX)
  } catch {
    // Suggestions are a courtesy: without an answer the field works as before.
    return NONE
  }
}

function isSuggestion(value: unknown): value is Suggestion {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
}
