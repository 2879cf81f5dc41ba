/** Routes and web vitals: two views of the same filters. */
import { paths } from '#parts/paths.ts'
import { Segmented } from '#ui/segmented.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { type FilterAddress, filterQuery } from './performance-address.ts'

export function PerformanceTabs(props: {
  readonly org: string
  readonly address: FilterAddress
  readonly current: 'routes' | 'vitals'
}) {
  const query = filterQuery(props.address)
  return (
    <div className="phone:my-1">
      <Segmented label="View">
        {(['routes', 'vitals'] as const).map((view) => (
          <PageLink
            key={view}
            to={view === 'routes' ? paths.performance(props.org, query) : paths.vitals(props.org, query)}
            aria-current={view === props.current ? 'true' : undefined}
          >
            {view === 'routes' ? 'Routes' : 'Web vitals'}
          </PageLink>
        ))}
      </Segmented>
    </div>
  )
}
