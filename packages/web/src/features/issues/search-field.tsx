/**
 * The search: what the parser understood stands as tokens, the rest is typed behind them. A plain GET form, so that
 * it works without JavaScript; with it, Backspace takes the last token away and what is typed is completed.
 */

import { type FormEvent, type KeyboardEvent, lazy, Suspense, useEffect, useState } from 'react'
import type { SearchOffer, SearchProblem, SearchToken, UnknownTag } from '#parts/issue-types.ts'
import { KeptFields } from '#parts/kept-fields.tsx'
import { type ListAddress, listQuery } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { tokenText, withoutToken } from '#parts/search-token.ts'
import { SearchTokens } from '#parts/search-tokens.tsx'
import { useOffers } from '#parts/use-offers.ts'
import { Icon } from '#ui/icons.tsx'
import { Key } from '#ui/key.tsx'
import { useNavigate } from '#wire/router.ts'

/** Offers of the search field, loaded once somebody types. */
const SearchOffers = lazy(async () => ({ default: (await import('#parts/search-offers.tsx')).SearchOffers }))
const SearchNotes = lazy(async () => ({ default: (await import('./search-notes.tsx')).SearchNotes }))
const WrongParts = lazy(async () => ({ default: (await import('#parts/wrong-parts.tsx')).WrongParts }))
const recent = () => import('#parts/recent-searches.ts')

const SEARCH_INPUT_ID = 'issue-search'

export function SearchField(props: {
  readonly org: string
  readonly address: ListAddress
  readonly tokens: readonly SearchToken[]
  readonly isPlain: boolean
  /** A saved search opens the list of whoever looks. */
  readonly hasDefault: boolean
  readonly problems: readonly SearchProblem[]
  readonly unknownTags: readonly UnknownTag[]
  readonly offers: readonly SearchOffer[]
}) {
  const { org, address, problems } = props
  const [isBad, query] = [problems.length > 0, address.query]
  // An effect, because what was typed turns out not to be understood after it was kept.
  useEffect(() => {
    if (isBad) void recent().then(({ forgetSearch }) => forgetSearch(org, query))
  }, [isBad, org, query])
  // A search that was not understood stays as it was typed, so that it can be mended; so does one with alternatives.
  const isKept = isBad || !props.isPlain
  const tokens = isKept ? [] : props.tokens
  const kept = isKept ? address.query : ''
  return (
    // The key starts the field anew when the address changes: what was typed has become tokens.
    <Field key={address.query} {...props} tokens={tokens} kept={kept} />
  )
}

function Field(props: {
  readonly org: string
  readonly address: ListAddress
  readonly tokens: readonly SearchToken[]
  readonly kept: string
  readonly isPlain: boolean
  readonly hasDefault: boolean
  readonly problems: readonly SearchProblem[]
  readonly unknownTags: readonly UnknownTag[]
  readonly offers: readonly SearchOffer[]
}) {
  const { org, address, tokens, problems } = props
  const navigate = useNavigate()
  const [draft, setDraft] = useState(props.kept)
  const words = tokens.map(tokenText)
  // Without a search the list would open with the person’s own.
  const toQuery = (query: string) =>
    listQuery(address, { query, saved: query === '' && props.hasDefault ? 'none' : null })
  const go = (query: string) => {
    offers.close()
    void navigate(paths.issues(org, toQuery(query)))
  }
  const search = (typed: string) => {
    const query = typed.trim()
    void recent().then(({ keepSearch }) => keepSearch(org, query))
    go(query)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    search([...words, draft].join(' '))
  }
  const offers = useOffers((offer) => {
    if (offer.isSearch) return search(offer.result)
    setDraft(offer.result)
    document.getElementById(SEARCH_INPUT_ID)?.focus()
  })
  const problemsId = `${offers.list.listId}-problems`
  const keyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Backspace' && draft === '' && tokens.length > 0) {
      go(withoutToken(tokens, tokens.length - 1))
    } else offers.keyDown(event)
  }
  return (
    <div className="relative min-w-60 flex-1 phone:min-w-80">
      <search>
        <form
          action={paths.issues(org)}
          onSubmit={submit}
          className={`field flex h-auto min-h-8 flex-wrap items-center gap-1 py-0.5 ps-2 pe-1.5 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent max-phone:min-h-11 ${problems.length > 0 ? 'border-bad-fill' : ''}`}
        >
          <Icon name="search" size={14} className="shrink-0 text-ink-3" />
          <KeptFields query={{ ...listQuery(address), query: null }} />
          <SearchTokens tokens={tokens} to={(query) => paths.issues(org, toQuery(query))} />
          <span className="relative min-w-24 flex-1">
            <Underlines {...{ problems }} text={draft === props.kept ? draft : null} />
            <input
              id={SEARCH_INPUT_ID}
              name="query"
              value={draft}
              onChange={(event) => {
                setDraft(event.target.value)
                offers.type()
              }}
              onKeyDown={keyDown}
              {...offers.field}
              aria-label="Search issues"
              aria-invalid={problems.length > 0 ? true : undefined}
              aria-describedby={problems.length > 0 ? problemsId : undefined}
              aria-keyshortcuts="/"
              data-search=""
              maxLength={1000}
              placeholder={tokens.length === 0 ? 'message, route, key:value, digest…' : ''}
              className="relative h-6 w-full bg-transparent px-1 text-13 outline-none focus-visible:outline-none"
            />
          </span>
          <span className="flex max-phone:hidden">
            <Key>/</Key>
          </span>
        </form>
      </search>
      <Suspense fallback={null}>
        {offers.isOpen ? (
          <SearchOffers {...{ org, draft }} projects={address.projects} {...offers.list} />
        ) : null}
      </Suspense>
      {problems.length + props.unknownTags.length + props.offers.length === 0 ? null : (
        <Suspense fallback={null}>
          <SearchNotes {...props} id={problemsId} />
        </Suspense>
      )}
    </div>
  )
}

/** `null`: what is typed is not what was asked any more. */
function Underlines(props: { readonly problems: readonly SearchProblem[]; readonly text: string | null }) {
  const { problems, text } = props
  if (problems.length === 0 || text === null) return null
  return (
    <Suspense fallback={null}>
      <WrongParts text={text} problems={problems} inputId={SEARCH_INPUT_ID} />
    </Suspense>
  )
}
