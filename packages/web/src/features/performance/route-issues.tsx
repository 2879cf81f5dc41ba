/** Unresolved issues of a route, most frequent first. */
import { titleParts } from '#parts/issue-title.ts'
import { paths } from '#parts/paths.ts'
import { useRangeText } from '#parts/range-name.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { Count } from '#ui/number.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { SideSection } from '#ui/section.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { RouteData } from './performance.server.ts'

export function RouteIssues({ data }: { readonly data: RouteData }) {
  const { org, address, issues, project } = data
  const { range, environment } = address
  const within = useRangeText(address)
  const all = paths.issues(org, {
    ...{ query: issues.query, project: project.slug, environment, sort: 'freq' },
    range: range === '14d' ? null : range,
  })
  const note =
    issues.total > issues.rows.length ? (
      <PageLink className="link" to={all}>
        All {numberText(issues.total)}
      </PageLink>
    ) : (
      `events, ${within}`
    )
  return (
    <SideSection title="Issues" note={note}>
      <ul className="tall-links grid gap-1 text-13">
        {issues.rows.map((issue) => {
          const { type, message } = titleParts(issue)
          return (
            <li key={issue.shortId} className="flex min-w-0 items-center gap-2">
              <LevelMark level={issue.level} size={14} />
              <PageLink
                className="min-w-0 flex-1 hover:underline"
                to={paths.issue(org, issue.shortId)}
                title={`${issue.shortId} ${issue.title}, ${quantityText(issue.events, 'event')}`}
              >
                <span className="foreign block min-w-0 truncate">
                  {type === '' ? null : <b className="font-strong">{type} </b>}
                  {message}
                </span>
              </PageLink>
              <Count value={issue.events} />
            </li>
          )
        })}
      </ul>
    </SideSection>
  )
}
