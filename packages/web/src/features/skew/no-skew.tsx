/** The page without stale clicks: why, and what to do next. */
import { DocsButton } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { rangeOf } from '#parts/ranges.ts'
import { TurnOn } from '#parts/turn-on.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { SkewData } from './skew.server.ts'
import { skewQuery } from './skew-address.ts'

const NAME_IT = { file: 'Sentry.init', text: "Sentry.init({ dsn: '…', release: 'shop@1.4.0' })" }
const REPORT_IT = {
  file: 'after a deploy',
  text: 'sentry-cli deploys new --release shop@1.4.0 --env production',
}

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
          <DocsButton to="skew#what-to-set" about="deploy skew" />
        </>
      }
    >
      <p>
        In the {range}, no tab of an older build failed after a deploy
        {isNarrowed ? ' with these filters' : ''}: no unknown server actions, no missing chunks, no page data
        of another build. Clicks are matched to deploys once the app sets its release and each deploy is
        reported:
      </p>
      <TurnOn {...NAME_IT} />
      <TurnOn {...REPORT_IT} />
    </Empty>
  )
}
