/** The search field of routes. */
import { CompletedSearch } from '#parts/completed-search.tsx'
import { paths } from '#parts/paths.ts'
import type { OtherSearch } from '#parts/search-offers.tsx'
import { Key } from '#ui/key.tsx'
import { performancePaths } from './paths.ts'
import type { PerformanceData } from './performance.server.ts'
import { performanceQuery } from './performance-address.ts'

const ROUTES: OtherSearch = {
  pathOf: performancePaths.routeSuggestions,
  useful: [
    ['p95:>1s', 'p95 over 1 s'],
    ['failures:>2%', 'Failure rate over 2 %'],
    ['behind200:>0', 'Failed with status 200'],
    ['requests:>100', 'More than 100 requests'],
    ['kind:action', 'Server actions'],
  ],
}

export const ROUTE_PROBLEMS_ID = 'route-problems'

export function RoutesSearch({ data }: { readonly data: PerformanceData }) {
  const { org, address, problems, textCharsMax } = data
  return (
    <>
      <CompletedSearch
        {...{ org, of: ROUTES, text: address.text, charsMax: textCharsMax, id: 'route-search', name: 'text' }}
        projects={address.project === null ? [] : [address.project]}
        label="Filter routes"
        placeholder="Filter routes, such as /orders or kind:action p95:>1s"
        className="field touch w-full wide:pe-9"
        problemsId={problems.length > 0 ? ROUTE_PROBLEMS_ID : null}
        to={(text) => paths.performance(org, performanceQuery(address, { text }))}
      />
      <span className="pointer-events-none absolute end-2 flex max-wide:hidden">
        <Key>/</Key>
      </span>
    </>
  )
}
