/** The page without stale clicks: why, and what to do next. */
import { paths } from '#parts/paths.ts'
import { rangeOf } from '#parts/ranges.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { SkewData } from './skew.server.ts'
import { skewQuery } from './skew-address.ts'

export function NoSkew({ data }: { readonly data: SkewData }) {
  const { org, address } = data
  const isNarrowed = address.project !== null || address.environment !== null
  const range = rangeOf(address.range).label.toLowerCase()
  return (
    <Empty
      title={isNarrowed ? 'No stale clicks here' : 'No stale clicks'}
      next={
        <>
          {isNarrowed ? (
            <PageLink
              className={buttonClass()}
              to={paths.skew(org, skewQuery(address, { project: null, environment: null }))}
            >
              Show all projects and environments
            </PageLink>
          ) : null}
          {address.range === '90d' ? null : (
            <PageLink className={buttonClass()} to={paths.skew(org, skewQuery(address, { range: '90d' }))}>
              Show the last 90 days
            </PageLink>
          )}
        </>
      }
    >
      <p>
        In the {range} no tab of an old build asked in vain for what a deploy took away
        {isNarrowed ? ' in what is chosen above' : ''}: no unknown server action, no missing chunk, no page
        data of another build. Name releases in <code>Sentry.init</code> and tell Errata of deploys, so that
        clicks find theirs.
      </p>
    </Empty>
  )
}
