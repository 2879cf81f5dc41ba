/** Routes that got slower or fail more with a release, and the commit that touched them. */
import type { ReactNode } from 'react'
import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { commitText, releaseAgeText, versionOf } from '#parts/release-text.ts'
import { Count } from '#ui/number.tsx'
import { numberText, quantityText, shareText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { durationText } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadReleaseSlower } from './release.server.ts'

type Slower = Awaited<ReturnType<typeof loadReleaseSlower>>['slower']
type Route = Slower['routes'][number]
type Row = Slower['failing'][number] & Partial<Pick<Route, 'what'>>

export function ReleaseSlower() {
  const { slower } = usePageData<typeof loadReleaseSlower>()
  const { before, ageMs, routes, failing } = slower
  const title =
    before === null ? 'Slower, or failing more' : `Slower, or failing more, than in ${versionOf(before)}`
  return (
    <>
      <Section
        title={title}
        note={before === null ? undefined : `compared at the same age, ${releaseAgeText(ageMs)}`}
      >
        {routes.length === 0 ? null : <RouteTable caption="Routes that got worse" rows={routes} />}
        <Rest />
      </Section>
      {before === null || failing.length === 0 ? null : (
        <Section title="Failing" note={`not enough requests in ${versionOf(before)}`}>
          <RouteTable caption="Failing routes without enough requests to compare" rows={failing} />
        </Section>
      )}
    </>
  )
}

/** Shows what the table leaves out, and why if it is empty. */
function Rest() {
  const { slower } = usePageData<typeof loadReleaseSlower>()
  const { before, own, ofBefore, compared, tooFew, routes, countMin } = slower
  if (before === null)
    return <Faint>This is the first release, so there is nothing to compare it with.</Faint>
  if (own === null) return <Faint>No requests carry this release.</Faint>
  if (ofBefore === null)
    return <Faint>No requests of {versionOf(before)} at the same age, or their retention has ended.</Faint>
  const others = compared.kinds - routes.length
  return (
    <Faint>
      {others === 0 ? null : `${routesText(others, routes.length > 0)} did not get worse. `}
      {compared.kinds === 0
        ? null
        : `Of the requests that can be compared, ${failedText(compared.now)} failed, was ${failedText(compared.was)}. `}
      {tooFew.kinds === 0
        ? null
        : `${routesText(tooFew.kinds, compared.kinds > 0)} have not enough requests to compare (fewer than ${numberText(countMin)} in one of the releases): ${failedText(tooFew.now)} failed in this one.`}
    </Faint>
  )
}

/** `59.8 % of 694`. */
function failedText({ count, failed }: Slower['tooFew']['now']): string {
  return `${shareText(failed, count)} of ${numberText(Math.round(count))}`
}

/** A route and a kind of request. */
function routesText(count: number, isOther: boolean): string {
  return quantityText(
    count,
    isOther ? 'other kind of request' : 'kind of request',
    isOther ? 'other kinds of requests' : 'kinds of requests',
  )
}

function Faint({ children }: { readonly children: ReactNode }) {
  return <p className="mt-3 text-12 text-ink-3">{children}</p>
}

function RouteTable({ caption, rows }: { readonly caption: string; readonly rows: readonly Row[] }) {
  return (
    <Table caption={caption} stacks="columns">
      <thead>
        <tr>
          <th scope="col">Route and request kind</th>
          <th scope="col" className={tableNum}>
            Requests
          </th>
          <th scope="col" className={tableNum}>
            p75
          </th>
          <th scope="col" className={tableNum}>
            was
          </th>
          <th scope="col" className={tableNum}>
            Failed
          </th>
          <th scope="col" className={tableNum}>
            was
          </th>
          <th scope="col" className="stack-line">
            Most likely
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((route) => (
          <RouteRow key={`${route.projectId} ${route.kind} ${route.route}`} of={route} />
        ))}
      </tbody>
    </Table>
  )
}

function RouteRow({ of }: { readonly of: Row }) {
  const { org, view, slugs } = usePageData<typeof loadReleaseSlower>()
  const { projectId, route, kind, what, now, was } = of
  const slug = slugs[projectId] ?? String(projectId)
  const { version } = view.release
  return (
    <tr>
      <th scope="row" className="font-normal">
        <PageLink
          to={paths.performanceRoute(org, slug, { route, kind, release: version })}
          className="foreign reach hover:underline"
        >
          <code className="font-strong">{route}</code>
        </PageLink>{' '}
        <KindBadge kind={kind} />
      </th>
      <td className={tableNum} data-label="Requests">
        <Count value={Math.round(now.count)} exactness={now.isEstimated ? 'approximate' : 'exact'} />
      </td>
      <td className={`${tableNum} whitespace-nowrap`} data-label="p75">
        <span className={what === 'slower' ? 'font-strong text-warn' : ''}>{msText(now.p75Ms)}</span>
      </td>
      <td className={`${tableNum} whitespace-nowrap text-ink-3`} data-label="p75 was">
        {msText(was?.p75Ms ?? null)}
      </td>
      <td className={`${tableNum} whitespace-nowrap`} data-label="Failed">
        <span className={what === 'slower' ? '' : 'font-strong text-bad'}>
          {shareText(now.failed, now.count)}
        </span>
      </td>
      <td
        className={`${tableNum} text-ink-3 ${of.what === undefined ? '' : 'whitespace-nowrap'}`}
        data-label="Failed was"
      >
        {wasFailedText(of)}
      </td>
      <td className="stack-line phone:w-2/5 phone:max-w-0">
        <Likely likely={of.likely} />
      </td>
    </tr>
  )
}

/** With how few it is a share of, where they are too few. */
function wasFailedText({ was, what }: Row): string {
  if (was === null) return 'no requests'
  return what === undefined ? failedText(was) : shareText(was.failed, was.count)
}

function msText(ms: number | null): string {
  return ms === null ? '–' : durationText(ms)
}

function Likely({ likely }: { readonly likely: Route['likely'] }) {
  if (likely === null) return <span className="text-ink-3">no commit touched its files</span>
  const { commit, path } = likely
  return (
    <span className="foreign block truncate" title={`It touched ${path}`}>
      <code className="text-ink-2">{commitText(commit.id)}</code> {commit.message?.split('\n', 1)[0] ?? ''}
      <span className="block truncate text-12 text-ink-3">touched {path}</span>
    </span>
  )
}
