/** The search field of traces. */
import { CompletedSearch } from '#parts/completed-search.tsx'
import { paths } from '#parts/paths.ts'
import type { OtherSearch } from '#parts/search-offers.tsx'
import { tracesPaths } from './paths.ts'
import type { TracesData } from './traces.server.ts'
import { tracesQuery } from './traces-address.ts'

const TRACES: OtherSearch = {
  pathOf: tracesPaths.traceSuggestions,
  useful: [
    ['is:failed', 'Failed'],
    ['status:failed-behind-200', 'Failed with status 200'],
    ['duration:>1s', 'Longer than 1 s'],
    ['waits:database', 'Slow because of the database'],
    ['is:n+1', 'With an N+1 query'],
    ['kind:action', 'Server actions'],
    ['!kind:browser', 'On the server'],
  ],
}

export function TracesSearch({ data }: { readonly data: TracesData }) {
  const { org, address, problems, queryCharsMax } = data
  return (
    <CompletedSearch
      {...{
        org,
        of: TRACES,
        text: address.query,
        charsMax: queryCharsMax,
        id: 'trace-search',
        name: 'query',
      }}
      projects={address.project === null ? [] : [address.project]}
      label="Search traces"
      placeholder="trace ID, name, route:/orders/[id], kind:action, is:failed, user:42, duration:>300ms…"
      tokens={data.tokens}
      className="h-6 min-w-24 flex-1 bg-transparent px-1 text-13 outline-none focus-visible:outline-none"
      problemsId={problems.length > 0 ? 'trace-problems' : null}
      to={(query) => paths.traces(org, tracesQuery(address, { query }))}
    />
  )
}
