/** The search field of routes: what is typed is completed, once there is JavaScript. */
import { lazy, Suspense, useState } from 'react'
import { paths } from '#parts/paths.ts'
import type { OtherSearch } from '#parts/search-offers.tsx'
import { useOffers } from '#parts/use-offers.ts'
import { Key } from '#ui/key.tsx'
import { useNavigate } from '#wire/router.ts'
import type { PerformanceData } from './performance.server.ts'
import { performanceQuery } from './performance-address.ts'

const SearchOffers = lazy(async () => ({ default: (await import('#parts/search-offers.tsx')).SearchOffers }))

const ROUTES: OtherSearch = {
  pathOf: paths.routeSuggestions,
  useful: [
    ['p95:>1s', 'One of 20 takes longer than a second'],
    ['failures:>2%', 'Fail more often than 1 in 50'],
    ['behind200:>0', 'Failed behind a good status'],
    ['requests:>100', 'More than 100 requests'],
    ['kind:action', 'Server actions'],
  ],
}

const SEARCH_ID = 'route-search'
export const ROUTE_PROBLEMS_ID = 'route-problems'

export function RoutesSearch({ data }: { readonly data: PerformanceData }) {
  const { org, address, problems } = data
  const [draft, setDraft] = useState(address.text)
  const navigate = useNavigate()
  const offers = useOffers(({ isSearch, result }) => {
    if (isSearch) {
      offers.close()
      void navigate(paths.performance(org, performanceQuery(address, { text: result })))
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
        name="text"
        className="field touch w-full wide:pe-9"
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value)
          offers.type()
        }}
        onKeyDown={offers.keyDown}
        {...offers.field}
        maxLength={data.textCharsMax}
        placeholder="Filter routes, such as /orders or kind:action p95:>1s"
        aria-label="Filter routes"
        aria-invalid={isWrong ? true : undefined}
        aria-describedby={isWrong ? ROUTE_PROBLEMS_ID : undefined}
        aria-keyshortcuts="/"
      />
      <span className="pointer-events-none absolute end-2 flex max-wide:hidden">
        <Key>/</Key>
      </span>
      <Suspense fallback={null}>
        {offers.isOpen ? (
          <SearchOffers
            {...{ org, draft }}
            of={ROUTES}
            projects={address.project === null ? [] : [address.project]}
            {...offers.list}
          />
        ) : null}
      </Suspense>
    </>
  )
}
