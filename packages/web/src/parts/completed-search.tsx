/** The search field of a list that is not of issues: what is typed is completed, once there is JavaScript. */
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from '#wire/router.ts'
import type { OtherSearch } from './search-offers.tsx'
import { useOffers } from './use-offers.ts'

const SearchOffers = lazy(async () => ({ default: (await import('./search-offers.tsx')).SearchOffers }))

export function CompletedSearch(props: {
  readonly org: string
  readonly of: OtherSearch
  readonly projects: readonly string[]
  /** What was searched for. */
  readonly text: string
  readonly charsMax: number
  readonly id: string
  /** Of the form's field. */
  readonly name: string
  readonly label: string
  readonly placeholder: string
  readonly className: string
  /** The element that says what is wrong with the text, if something is. */
  readonly problemsId: string | null
  /** Where a search that was chosen leads. */
  readonly to: (text: string) => string
}) {
  const { org, of, projects, text, charsMax, id, problemsId, to } = props
  const [draft, setDraft] = useState(text)
  const navigate = useNavigate()
  const offers = useOffers(({ isSearch, result }) => {
    if (isSearch) {
      offers.close()
      void navigate(to(result))
      return
    }
    setDraft(result)
    document.getElementById(id)?.focus()
  })
  return (
    <>
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
        onKeyDown={offers.keyDown}
        {...offers.field}
        maxLength={charsMax}
        placeholder={props.placeholder}
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
