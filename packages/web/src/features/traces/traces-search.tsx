/** The search field of traces: what is typed is completed, once there is JavaScript. */
import { lazy, Suspense, useState } from 'react'
import { paths } from '#parts/paths.ts'
import type { OtherSearch } from '#parts/search-offers.tsx'
import { useOffers } from '#parts/use-offers.ts'
import { useNavigate } from '#wire/router.ts'
import type { TracesData } from './traces.server.ts'
import { tracesQuery } from './traces-address.ts'

const SearchOffers = lazy(async () => ({ default: (await import('#parts/search-offers.tsx')).SearchOffers }))

const TRACES: OtherSearch = {
  pathOf: paths.traceSuggestions,
  useful: [
    ['is:failed', 'Failed'],
    ['status:failed-behind-200', 'Failed behind a good status'],
    ['duration:>1s', 'Longer than a second'],
    ['waits:database', 'Mostly waited for the database'],
    ['is:n+1', 'With a query that runs again and again'],
    ['kind:action', 'Server actions'],
    ['!kind:browser', 'On the server'],
  ],
}

const SEARCH_ID = 'trace-search'

export function TracesSearch({ data }: { readonly data: TracesData }) {
  const { org, address, problems } = data
  const [draft, setDraft] = useState(address.query)
  const navigate = useNavigate()
  const offers = useOffers(({ isSearch, result }) => {
    if (isSearch) {
      offers.close()
      void navigate(paths.traces(org, tracesQuery(address, { query: result })))
      return
    }
    setDraft(result)
    document.getElementById(SEARCH_ID)?.focus()
  })
  const isWrong = problems.length > 0
  return (
    <>
      <input
        id={SEARCH_ID}
        type="search"
        name="query"
        className="field touch w-full wide:pe-9"
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value)
          offers.type()
        }}
        onKeyDown={offers.keyDown}
        {...offers.field}
        maxLength={data.queryCharsMax}
        placeholder="trace ID, name, route:/orders/[id], kind:action, is:failed, user:42, duration:>300ms…"
        aria-label="Search traces"
        aria-invalid={isWrong ? true : undefined}
        aria-describedby={isWrong ? 'trace-problems' : undefined}
        aria-keyshortcuts="/"
      />
      <Suspense fallback={null}>
        {offers.isOpen ? (
          <SearchOffers
            {...{ org, draft }}
            of={TRACES}
            projects={address.project === null ? [] : [address.project]}
            {...offers.list}
          />
        ) : null}
      </Suspense>
    </>
  )
}
