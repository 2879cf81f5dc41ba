/** Issues that came back with a release, began with it, and are resolved in it. */
import { AssigneeMark, KindBadges, StateChip } from '#parts/issue-marks.tsx'
import { titleParts } from '#parts/issue-title.ts'
import { paths } from '#parts/paths.ts'
import { valueTerm } from '#parts/search-token.ts'
import { Trend } from '#ui/charts/trend.tsx'
import { Icon } from '#ui/icons.tsx'
import { Count } from '#ui/number.tsx'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadRelease } from './release.server.ts'

type Issue = Awaited<ReturnType<typeof loadRelease>>['issues']['begun'][number]

export function ReleaseIssues() {
  const { org, view, issues } = usePageData<typeof loadRelease>()
  const { release } = view
  const all = valueTerm({ key: 'release', value: release.version, negated: false })
  return (
    <>
      <IssueSection
        name="Regressed"
        total={release.regressedIssues}
        issues={issues.regressed}
        none="No regressions in this release."
      />
      <IssueSection
        name="New"
        total={release.ofAll.newIssues}
        issues={issues.begun}
        none="No new issues in this release."
        all={paths.issues(org, { query: all, tab: 'all' })}
      />
      <ResolvedIn total={release.resolvedIssues} issues={issues.resolved} />
    </>
  )
}

function IssueSection(props: {
  readonly name: string
  readonly total: number
  readonly issues: readonly Issue[]
  readonly none: string
  readonly all?: string
}) {
  const { name, total, issues, none, all } = props
  return (
    <Section
      title={name}
      note={<Shown total={total} shown={issues.length} />}
      end={
        all === undefined ? undefined : (
          <PageLink to={all} className="link link-alone text-12">
            All issues of the release
          </PageLink>
        )
      }
    >
      {issues.length === 0 ? (
        <p className="text-13 text-ink-3">{none}</p>
      ) : (
        <IssueTable name={name} issues={issues} />
      )}
    </Section>
  )
}

function Shown({ total, shown }: { readonly total: number; readonly shown: number }) {
  return (
    <span className="num">
      {numberText(total)}
      {shown < total ? `, the last seen ${numberText(shown)} are shown` : ''}
    </span>
  )
}

function IssueTable({ name, issues }: { readonly name: string; readonly issues: readonly Issue[] }) {
  return (
    <Table
      caption={`${name} issues`}
      stacks="columns"
      className="phone:table-fixed [--stack-columns:4] [--stack-end:-2]"
    >
      <thead>
        <tr>
          <th scope="col">Issue</th>
          <th scope="col" className="w-44 max-phone:col-span-2 max-phone:text-start!">
            Trend, 7 d
          </th>
          <th scope="col" className={`${tableNum} w-16`}>
            Events
          </th>
          <th scope="col" className={`${tableNum} w-16`}>
            Users
          </th>
          <th scope="col" className={`stack-none w-28 ${tableNum} phone:max-wide:hidden`}>
            Last seen
          </th>
          <th scope="col" className="stack-end w-14 phone:max-wide:hidden">
            <span className="visually-hidden">Assignee</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {issues.map((issue) => (
          <IssueRow key={issue.id} issue={issue} />
        ))}
      </tbody>
    </Table>
  )
}

function IssueRow({ issue }: { readonly issue: Issue }) {
  const { org, trends } = usePageData<typeof loadRelease>()
  const trend = trends[issue.id]
  return (
    <tr>
      <th scope="row" className="py-2! phone:max-w-0">
        <div className="flex min-w-0 items-center gap-2 max-phone:items-start">
          <IssueLink org={org} issue={issue} />
          <StateChip issue={issue} />
        </div>
        <div className="mt-1 flex min-w-0 items-center gap-1.5 text-12 font-normal text-ink-3">
          <KindBadges kinds={issue.kinds} />
          <span className="foreign min-w-0 truncate" title={issue.culprit}>
            {issue.culprit}
          </span>
          <span className="ms-auto shrink-0 ps-2">{issue.shortId}</span>
        </div>
      </th>
      <td className="max-phone:col-span-2 max-phone:text-start!">
        {trend === undefined ? null : <Trend series={trend} />}
      </td>
      <td className={tableNum} data-label="Events">
        <Count value={issue.eventCount} />
      </td>
      <td className={tableNum} data-label="Users">
        <Count value={issue.users.count} exactness={issue.users.isExact ? 'exact' : 'approximate'} />
      </td>
      <td className={`stack-none ${tableNum} phone:max-wide:hidden`} data-label="Last seen">
        <Time ms={issue.lastSeenMs} />
      </td>
      <td className="stack-end phone:max-wide:hidden">
        <AssigneeMark issue={issue} />
      </td>
    </tr>
  )
}

function IssueLink({ org, issue }: { readonly org: string; readonly issue: Issue }) {
  const { type, message } = titleParts(issue)
  return (
    <PageLink
      to={paths.issue(org, issue.shortId)}
      className="foreign row-link min-w-0 truncate hover:underline max-wide:line-clamp-2 max-wide:whitespace-normal max-wide:wrap-anywhere"
      title={issue.title}
    >
      <span className="font-strong">{type}</span> <span className="font-normal">{message}</span>
    </PageLink>
  )
}

function ResolvedIn({ total, issues }: { readonly total: number; readonly issues: readonly Issue[] }) {
  const { org } = usePageData<typeof loadRelease>()
  return (
    <Section title="Resolved" note={<Shown total={total} shown={issues.length} />}>
      {issues.length === 0 ? (
        <p className="text-13 text-ink-3">No issues are resolved in this release.</p>
      ) : (
        <ul className="grid gap-1.5 text-13">
          {issues.map((issue) => (
            <li key={issue.id} className="flex min-w-0 items-center gap-2">
              <Icon name="check" size={12} className="shrink-0 text-good" />
              <span className="shrink-0 text-12 text-ink-3">{issue.shortId}</span>
              <IssueLink org={org} issue={issue} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
