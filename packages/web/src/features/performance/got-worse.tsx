/** Routes that got slower, or fail more, with the newest release than with the one before it. */
import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { shareText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { shortDuration } from './figure-cells.tsx'
import { changeOf, ratioText, type WorseRoute } from './figures.ts'
import type { PerformanceData } from './performance.server.ts'
import { filterQuery } from './performance-address.ts'

/** Nothing where nothing got worse: a healthy page has no such part. */
export function GotWorse({ data }: { readonly data: PerformanceData }) {
  const { worse, moreWorse } = data
  if (worse.length === 0) return null
  return (
    <section aria-label="Got worse" className="border-b px-6 py-4 max-phone:px-4">
      <h2 className="mb-2 text-13 font-strong">
        Got worse{' '}
        <span className="text-12 font-normal text-ink-3">with the newest release of each project</span>
      </h2>
      <ul className="grid gap-1.5 text-13">
        {worse.map((one) => (
          <WorseLine key={`${one.projectId} ${one.kind} ${one.route}`} one={one} data={data} />
        ))}
      </ul>
      {moreWorse > 0 ? <p className="mt-1.5 text-12 text-ink-3">And {moreWorse} more.</p> : null}
    </section>
  )
}

function WorseLine({ one, data }: { readonly one: WorseRoute; readonly data: PerformanceData }) {
  const { route, kind, release, releaseBefore } = one
  const slug = data.projects.find(({ id }) => id === one.projectId)?.slug ?? String(one.projectId)
  const { project: _, ...filter } = filterQuery(data.address)
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <PageLink
        to={paths.performanceRoute(data.org, slug, { route, kind, ...filter, release })}
        className="foreign reach hover:underline"
      >
        <code className="font-strong">{route}</code>
      </PageLink>
      <KindBadge kind={kind} />
      <span>
        <b className={`font-strong ${one.what === 'slower' ? 'text-warn' : 'text-bad'}`}>{one.what}</b> since{' '}
        <PageLink to={paths.release(data.org, release)} className="link link-text" title={release}>
          {versionOf(release)}
        </PageLink>
        : {comparison(one)}{' '}
        <span className="text-ink-3" title={releaseBefore}>
          with {versionOf(releaseBefore)}
        </span>
      </span>
    </li>
  )
}

function comparison({ what, now, before }: WorseRoute): string {
  if (what === 'fails more') {
    return `${shareText(now.failed, now.count)}, was ${shareText(before.failed, before.count)}`
  }
  const [after, was] = [now.p75Ms ?? 0, before.p75Ms ?? 0]
  return `p75 ${shortDuration(after)} (${ratioText(changeOf(after, was))}), was ${shortDuration(was)}`
}
