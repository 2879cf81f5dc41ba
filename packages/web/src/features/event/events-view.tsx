/** All events of an issue as a table, newest first, searched by tag or title. */

import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { ErrorLine } from '#ui/error-box.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { visibleText } from '#ui/visible-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadIssueEvents } from './issue.server.ts'
import { IssueShell } from './issue-shell.tsx'
import { NoEventKept } from './no-event-kept.tsx'

type EventsData = Awaited<ReturnType<typeof loadIssueEvents>>

export function EventsPage() {
  const data = usePageData<typeof loadIssueEvents>()
  const { org, view, table, query } = data
  const ref = view.issue.shortId
  return (
    <IssueShell data={data} current="events">
      <search className="flex items-center gap-2 py-3">
        <form action={paths.issueEvents(org, ref)} className="relative min-w-0 flex-1">
          <Icon name="search" size={14} className="absolute start-2.5 top-2.5 text-ink-3" />
          <input
            type="search"
            name="query"
            defaultValue={query}
            key={query}
            maxLength={1_000}
            aria-label="Search the events of this issue"
            aria-invalid={table.problems.length > 0 ? true : undefined}
            placeholder="key:value, words of the title"
            className="field touch ps-8"
          />
        </form>
        {query === '' ? null : (
          <PageLink className={buttonClass('quiet')} to={paths.issueEvents(org, ref)}>
            Clear
          </PageLink>
        )}
      </search>
      {table.problems.length === 0 ? null : <ErrorLine>{table.problems.join(' ')}</ErrorLine>}
      {table.rows.length === 0 ? <NoEvents query={query} /> : <EventRows data={data} />}
      <Paging data={data} />
    </IssueShell>
  )
}

function NoEvents({ query }: { readonly query: string }) {
  return query === '' ? (
    <NoEventKept />
  ) : (
    <Empty title="No event matches">None of the kept events of this issue meets the search.</Empty>
  )
}

function EventRows({ data }: { readonly data: EventsData }) {
  const { org, view, table } = data
  return (
    <Table caption="Events of this issue">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">When</th>
          <th scope="col">Title</th>
          <th scope="col">Kind</th>
          <th scope="col">Release</th>
          <th scope="col">Environment</th>
          <th scope="col">User</th>
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row) => (
          <tr key={`${row.projectId} ${row.eventId}`}>
            <td>
              <PageLink
                prefetch
                className="link font-mono text-12"
                to={paths.issueEvent(org, view.issue.shortId, row.eventId)}
              >
                {row.eventId.slice(0, 8)}
              </PageLink>
            </td>
            <td className="whitespace-nowrap">
              <Time ms={row.timestampMs} />
            </td>
            <td className="w-full max-w-80">
              <span className="block truncate" title={row.title}>
                <bdi>{visibleText(row.title)}</bdi>
              </span>
            </td>
            <td>
              <KindBadge kind={row.requestKind} />
            </td>
            <Cell text={row.release} />
            <Cell text={row.environment} />
            <Cell text={row.user} />
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Cell({ text }: { readonly text: string | null }) {
  return (
    <td className="max-w-44">
      {text === null ? <span className="text-ink-3">–</span> : <bdi className="block truncate">{text}</bdi>}
    </td>
  )
}

function Paging({ data }: { readonly data: EventsData }) {
  const { org, view, table, query, isFirstPage } = data
  const to = (cursor: string | null) => paths.issueEvents(org, view.issue.shortId, { query, cursor })
  return (
    <div className="flex min-h-11 items-center gap-3 py-2 text-12 text-ink-3">
      <span>
        {numberText(table.rows.length)} of{' '}
        <b className="num font-strong text-ink">{numberText(table.total)}</b> events
      </span>
      <nav aria-label="Pages" className="ms-auto flex gap-2">
        {isFirstPage ? null : (
          <PageLink className={buttonClass('plain', 'small')} to={to(null)}>
            Newest
          </PageLink>
        )}
        {table.nextCursor === null ? null : (
          <PageLink prefetch rel="next" className={buttonClass('plain', 'small')} to={to(table.nextCursor)}>
            Older <Icon name="chevron-right" size={14} />
          </PageLink>
        )}
      </nav>
    </div>
  )
}
