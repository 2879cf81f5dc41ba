/** The page without figures: why, and what to do next. */
import { ConnectApp } from '#parts/connect-app.tsx'
import { DocsLink } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { TurnOn } from '#parts/turn-on.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { PerformanceData } from './performance.server.ts'
import { performanceQuery } from './performance-address.ts'

/** Client and server alike: each says its part of a trace. */
const TRACING = {
  file: 'Sentry.init',
  text: `Sentry.init({
  dsn: '…',
  // 1 sends every trace, 0.1 one of ten: counts are extrapolated.
  tracesSampleRate: 1,
})`,
}

export function NoRequests({ data }: { readonly data: PerformanceData }) {
  const { org, address } = data
  const isNarrowed = address.environment !== null || address.release !== null
  const project = data.choices.chosen[0] ?? (address.project === null ? data.choices.projects[0] : undefined)
  return (
    <Empty
      title="No requests"
      next={
        <>
          {isNarrowed ? (
            <PageLink
              className={buttonClass()}
              to={paths.performance(org, performanceQuery(address, { environment: null, release: null }))}
            >
              Show all environments and releases
            </PageLink>
          ) : null}
          {address.range === '30d' || address.range === '90d' ? null : (
            <PageLink
              className={buttonClass()}
              to={paths.performance(org, performanceQuery(address, { range: '30d' }))}
            >
              Show the last 30 days
            </PageLink>
          )}
          <ConnectApp org={org} project={project?.slug} />
        </>
      }
    >
      <p>
        No requests match the filters in this time range. Routes appear once an app sends traces: turn on
        tracing where it calls <code>Sentry.init</code>, in the browser and on the server.{' '}
        <DocsLink to="traces#turn-it-on" />
      </p>
      <TurnOn {...TRACING} />
    </Empty>
  )
}

export function NoMatch({ data }: { readonly data: PerformanceData }) {
  const { org, address } = data
  return (
    <Empty
      title={data.problems.length > 0 ? 'Invalid search' : 'No route matches'}
      next={
        <PageLink
          className={buttonClass()}
          to={paths.performance(org, performanceQuery(address, { text: '', kind: null }))}
        >
          Show all routes
        </PageLink>
      }
    >
      {data.problems.length > 0 ? 'See the message below the search field.' : <NoneOf address={address} />}
    </Empty>
  )
}

function NoneOf({ address: { text, kind } }: { readonly address: PerformanceData['address'] }) {
  const of = kind === null ? '' : ` of the kind ${kind}`
  return text === '' ? `No route has requests${of}.` : `No route${of} matches “${text}”.`
}
