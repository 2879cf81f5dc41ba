import { AssigneeMark } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { countText, numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { NEEDS_SEARCH, type NeedRow } from './needs.ts'
import type { OverviewData } from './overview.server.ts'

/** Returns the path of the issue list as the overview counts it. */
export function needsPath({ org, project }: OverviewData, query: string | null): string {
  return paths.issues(org, { query, project: project?.slug ?? null, sort: 'user', range: '24h' })
}

/** Issues, alerts and stale tabs that somebody should look at, most people first. */
export function NeedsYou({ data }: { readonly data: OverviewData }) {
  const { needs, issuesTotal } = data
  const isSearch = issuesTotal > 1
  return (
    <div className="[&>section]:border-t-0">
      <Section
        title="Needs you"
        id="needs-you"
        note="most people first"
        end={
          <PageLink to={needsPath(data, isSearch ? NEEDS_SEARCH : null)} className="link text-12">
            {isSearch ? `All ${numberText(issuesTotal)} issues` : 'All issues'}
          </PageLink>
        }
      >
        <Readable part="issues" what="The issues">
          {needs.length === 0 ? (
            <p className="text-13 text-ink-2">No new issues, no regressions, no alerts.</p>
          ) : (
            <ul className="border-t">
              {needs.map((row) => (
                <Need key={row.key} row={row} />
              ))}
            </ul>
          )}
        </Readable>
      </Section>
    </div>
  )
}

function Need({ row }: { readonly row: NeedRow }) {
  return (
    <li className="relative grid min-h-12 grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-3 border-b py-1.5 hover:bg-hover max-phone:items-start max-phone:py-3">
      <span className="inline-flex max-phone:h-5 max-phone:items-center">
        <LevelMark level={row.issue?.level ?? (row.level === 'bad' ? 'error' : 'warning')} />
      </span>
      <div className="min-w-0 max-phone:col-span-2 max-phone:pe-9">
        <PageLink
          to={row.link}
          className="row-link foreign line-clamp-1 text-13 font-strong max-phone:line-clamp-2"
          title={row.title}
        >
          {row.title}
        </PageLink>
        <div
          className="foreign truncate text-12 text-ink-2 max-phone:line-clamp-2 max-phone:whitespace-normal"
          title={row.why}
        >
          {row.why}
        </div>
      </div>
      <div className="num flex items-center gap-4 text-13 whitespace-nowrap max-phone:col-span-2 max-phone:col-start-2 max-phone:gap-3 max-phone:pt-0.5 max-phone:text-12">
        {row.users === null ? null : (
          <span title={row.issue === null ? undefined : 'Since the issue began'}>
            <span className="font-strong">
              {countText(row.users.count, row.users.isExact ? 'exact' : 'approximate')}
            </span>{' '}
            <span className="text-ink-2">{row.users.count === 1 ? 'user' : 'users'}</span>
          </span>
        )}
        <Time ms={row.sinceMs} form="age" className="w-12 text-end text-ink-2 max-phone:w-auto" />
        <span className="inline-grid w-6 max-phone:absolute max-phone:end-0 max-phone:top-3">
          {row.issue === null ? null : <AssigneeMark issue={row.issue} />}
        </span>
        {/* A long one loses its beginning: the number is at its end. */}
        <span
          className="w-32 truncate text-end text-accent phone:max-wide:hidden max-phone:w-auto [direction:rtl]"
          title={row.linkText}
          aria-hidden="true"
        >
          <bdi>{row.linkText}</bdi>
        </span>
      </div>
    </li>
  )
}
