/** All requests, and those of each kind: each narrows the table to it. */
import { KindBadge } from '#parts/issue-marks.tsx'
import type { RequestKind } from '#parts/issue-types.ts'
import { paths } from '#parts/paths.ts'
import { countText, numberText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { ESTIMATED, failedTone } from './figure-cells.tsx'
import type { PerformanceData } from './performance.server.ts'
import { performanceQuery } from './performance-address.ts'
import type { Sums } from './route-groups.ts'

export function KindStrip({ data }: { readonly data: PerformanceData }) {
  const { org, address, kinds, sums } = data
  const link = (kind: RequestKind | null) => paths.performance(org, performanceQuery(address, { kind }))
  const prefetches = kinds.find(({ kind }) => kind === 'prefetch')?.count ?? 0
  return (
    <nav aria-label="Request kinds" className="mt-3 flex overflow-x-auto border-y">
      <KindLink
        to={link(null)}
        isHere={address.kind === null}
        sums={sums}
        data={data}
        title={prefetches === 0 ? undefined : `Without ${numberText(prefetches)} prefetches`}
      />
      {kinds.map(({ kind, ...own }) => (
        <KindLink
          key={kind}
          kind={kind}
          to={link(kind)}
          isHere={address.kind === kind}
          sums={own}
          data={data}
        />
      ))}
    </nav>
  )
}

function KindLink(props: {
  readonly kind?: RequestKind
  readonly to: string
  readonly isHere: boolean
  readonly sums: Sums
  readonly data: PerformanceData
  readonly title?: string | undefined
}) {
  const { kind, sums } = props
  const { count, failed, failedBehind200, isEstimated } = sums
  return (
    <PageLink
      to={props.to}
      className={`grid min-w-46 shrink-0 flex-1 content-start gap-0.5 border-e px-4 py-3 last:border-e-0 first:min-w-50 first:ps-6 hover:bg-hover focus-visible:-outline-offset-2 max-phone:first:ps-4 ${props.isHere ? 'shadow-[inset_0_-2px_0_var(--ink)]' : ''}`}
      aria-current={props.isHere ? 'true' : undefined}
      title={props.title}
    >
      <span className="flex h-5 items-center text-12 text-ink-2">
        {kind === undefined ? 'All requests' : kind === 'other' ? 'other' : <KindBadge kind={kind} />}
      </span>
      <span className="num text-18 font-strong" title={isEstimated ? ESTIMATED : undefined}>
        {countText(count, isEstimated ? 'approximate' : 'exact')}
      </span>
      <span className="num text-12 whitespace-nowrap text-ink-2">
        <span className={failedTone(failed, count, props.data.alarms)}>{numberText(failed)} failed</span>
        {failedBehind200 === 0 ? null : `, ${numberText(failedBehind200)} with 200`}
      </span>
    </PageLink>
  )
}
