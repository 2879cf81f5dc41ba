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

export interface OfferListProps {
  readonly listId: string
  readonly chosen: number
  readonly take: (offer: Offer) => void
  readonly setKnown: (offers: readonly Offer[]) => void
}

/** Offers below the search field. The keys are the field's, as in a combobox. */
export function SearchOffers(
  props: OfferListProps & {
    readonly org: string
    /** Projects that are suggested from; empty for all. */
    readonly projects: readonly string[]
    /** Fields of issues are offered otherwise, and searches of their list. */
    readonly of?: 'events' | OtherSearch
    readonly draft: string
  },
) {
  const matching = useMatching({ ...props, of: props.of ?? 'issues' })
  const term = typedTerm(props.draft)
  const people = usePeople(props.org, (term?.key ?? 'user') === 'user' ? (term?.prefix ?? '') : '')
  return <OfferList {...props} offers={[...matching.slice(0, SHOWN_MAX - people.length), ...people]} />
}

/** Shows offers, of which the field chooses one. */
export function OfferList(props: OfferListProps & { readonly offers: readonly Offer[] }) {
  const { offers, listId, setKnown } = props
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

/** Answers of the server while somebody types, once they pause for `waitMs`; the last question wins. `key`: what is asked. */
function useAnswer<T>(key: string | null, waitMs: number, ask: (signal: AbortSignal) => Promise<T>) {
  const [found, setFound] = useState<{ readonly key: string; readonly answer: T } | null>(null)
  // An effect, because the answer comes from the server.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked is told by its key
  useEffect(() => {
    if (key === null) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await ask(stop.signal)
      if (!stop.signal.aborted) setFound({ key, answer })
    }, waitMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key])
  return found
}

function useCompletions({ org, projects, of, draft }: Typed): readonly Suggestion[] {
  const term = typedTerm(draft)
  const [key, prefix] = [term?.key ?? null, term?.prefix ?? '']
  const path = term === null ? null : suggestionsPath({ org, projects, of, key, prefix })
  const found = useAnswer(path, WAIT_MS, async (signal) => ({
    key,
    suggestions: await askSuggestions(path ?? '', signal),
  }))?.answer
  if (term === null || found?.key !== key) return NONE
  // Until the next answer comes, what still fits of the last; nothing that is there in full already.
  const typed = prefix.toLowerCase()
  // A key is found by its other names too, which only the server knows.
  return key === null
    ? found.suggestions
    : found.suggestions.filter(({ text }) => text !== prefix && text.toLowerCase().includes(typed))
}

const NOBODY: readonly Offer[] = []
const PERSON_CHARS_MIN = 3
/** Looking through the columns costs more than completing a key. */
const PERSON_WAIT_MS = 350

/** Finds affected people whom a text may name: each is a page of its own. */
export function usePeople(org: string, text: string): readonly Offer[] {
  const found = useAnswer(text.length < PERSON_CHARS_MIN ? null : text, PERSON_WAIT_MS, (signal) =>
    askPeople(org, text, signal),
  )
  return found?.key === text ? found.answer : NOBODY
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
