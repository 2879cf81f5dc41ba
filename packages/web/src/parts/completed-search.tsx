/** The search field of a list that is not of issues: what is typed is completed, once there is JavaScript. */
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from '#wire/router.ts'
import type { SearchToken } from './issue-types.ts'
import type { OtherSearch } from './search-offers.tsx'
import { tokenText, withoutToken } from './search-token.ts'
import { SearchTokens } from './search-tokens.tsx'
import { useOffers } from './use-offers.ts'

const SearchOffers = lazy(async () => ({ default: (await import('./search-offers.tsx')).SearchOffers }))

export function CompletedSearch(props: {
  readonly org: string
  readonly of: OtherSearch
  readonly projects: readonly string[]
  /** Text of the search. */
  readonly text: string
  /** Tokens of the search, if all of it was understood: they stand before the field, which is then empty. */
  readonly tokens?: readonly SearchToken[]
  readonly charsMax: number
  readonly id: string
  /** Name of the form's field. */
  readonly name: string
  readonly label: string
  readonly placeholder: string
  readonly className: string
  /** The element that says what is wrong with the text, if something is. */
  readonly problemsId: string | null
  /** Returns the path of a chosen search. */
  readonly to: (text: string) => string
}) {
  const { org, of, projects, charsMax, id, problemsId, to, tokens = [] } = props
  const [draft, setDraft] = useState(tokens.length === 0 ? props.text : '')
  const navigate = useNavigate()
  const offers = useOffers(({ isSearch, result }) => {
    if (isSearch) {
      offers.close()
      void navigate(to([...tokens.map(tokenText), result].join(' ')))
      return
    }
    setDraft(result)
    document.getElementById(id)?.focus()
  })
  return (
    <>
      <SearchTokens tokens={tokens} to={to} />
      <input
        id={id}
        type="search"
        name={props.name}
        className={props.className}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value)
          offers.type()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && draft === '' && tokens.length > 0)
            void navigate(to(withoutToken(tokens, tokens.length - 1)))
          else offers.keyDown(event)
        }}
        {...offers.field}
        maxLength={charsMax}
        placeholder={tokens.length === 0 ? props.placeholder : ''}
        aria-label={props.label}
        aria-invalid={problemsId === null ? undefined : true}
        aria-describedby={problemsId ?? undefined}
        aria-keyshortcuts="/"
      />
      <Suspense fallback={null}>
        {offers.isOpen ? <SearchOffers {...{ org, draft, of, projects }} {...offers.list} /> : null}
      </Suspense>
    </>
  )
}
