/** All events of an issue as a table, newest first, searched by tag or title. */
import { useState } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import { FileLinks } from '#parts/file-links.tsx'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { SearchOffers } from '#parts/search-offers.tsx'
import { useOffers } from '#parts/use-offers.ts'
import { WrongParts } from '#parts/wrong-parts.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { ErrorLine } from '#ui/error-box.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { EventRows } from './event-rows.tsx'
import type { loadIssueEvents } from './issue.server.ts'
import { IssueShell } from './issue-shell.tsx'
import { NoEventKept } from './no-event-kept.tsx'
import { eventPaths } from './paths.ts'

const SEARCH_ID = 'event-search'

type EventsData = Awaited<ReturnType<typeof loadIssueEvents>>

export function EventsPage() {
  const data = usePageData<typeof loadIssueEvents>()
  const { org, view, table, query, list } = data
  const ref = view.issue.shortId
  return (
    <IssueShell data={data} current="events">
      <search className="flex items-center gap-2 py-3">
        <form action={paths.issueEvents(org, ref)} className="relative min-w-0 flex-1">
          <Icon
            name="search"
            size={14}
            className="absolute start-2.5 pointer-events-none top-1/2 -mt-1.75 text-ink-3"
          />
          <SearchInput
            key={query}
            {...{ org, query }}
            project={String(view.issue.projectId)}
            problems={table.problems}
          />
          {list.text === '' ? null : <input type="hidden" name="list" value={list.text} />}
        </form>
        {query === '' ? null : (
          <PageLink
            className={buttonClass('quiet', 'normal', 'touch')}
            to={paths.issueEvents(org, ref, { list: list.text })}
          >
            Clear
          </PageLink>
        )}
      </search>
      {table.problems.length === 0 ? null : (
        <div id={`${SEARCH_ID}-problems`}>
          {table.problems.map(({ start, message }) => (
            <ErrorLine key={`${start} ${message}`}>{message}</ErrorLine>
          ))}
        </div>
      )}
      <Readable part="events" what="These events">
        {table.problems.length > 0 ? (
          <NotUnderstood org={org} issue={ref} list={list.text} />
        ) : table.rows.length === 0 ? (
          <NoEvents query={query} />
        ) : (
          <EventRows org={org} issue={ref} list={list.text} table={table} />
        )}
        <Paging data={data} />
      </Readable>
    </IssueShell>
  )
}

function SearchInput(props: {
  readonly org: string
  readonly project: string
  readonly query: string
  readonly problems: EventsData['table']['problems']
}) {
  const { org, project, query, problems } = props
  const isWrong = problems.length > 0
  const [draft, setDraft] = useState(query)
  const offers = useOffers(({ result }) => {
    setDraft(result)
    document.getElementById(SEARCH_ID)?.focus()
  })
  return (
    <>
      <input
        id={SEARCH_ID}
        type="search"
        name="query"
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value)
          offers.type()
        }}
        onKeyDown={offers.keyDown}
        {...offers.field}
        maxLength={1_000}
        aria-label="Search the events of this issue"
        aria-invalid={isWrong ? true : undefined}
        aria-describedby={isWrong ? `${SEARCH_ID}-problems` : undefined}
        placeholder="key:value or words in the title"
        className="field touch ps-8"
      />
      {/* What is typed is not what was asked any more. */}
      {isWrong && draft === query ? (
        <WrongParts text={query} problems={problems} inputId={SEARCH_ID} className="flex items-center ps-8" />
      ) : null}
      {offers.isOpen ? (
        <SearchOffers {...{ org, draft }} of="events" projects={[project]} {...offers.list} />
      ) : null}
    </>
  )
}

function NotUnderstood(props: { readonly org: string; readonly issue: string; readonly list: string }) {
  const { org, issue, list } = props
  return (
    <Empty
      title="Invalid search"
      next={
        <PageLink
          className={buttonClass('plain', 'normal', 'touch')}
          to={paths.issueEvents(org, issue, { list })}
        >
          Show all events
        </PageLink>
      }
    >
      See the message below the search field. <DocsLink to="search" />
    </Empty>
  )
}

function NoEvents({ query }: { readonly query: string }) {
  return query === '' ? (
    <NoEventKept />
  ) : (
    <Empty title="No events match">No stored event of this issue matches the search.</Empty>
  )
}

function Paging({ data }: { readonly data: EventsData }) {
  const { org, view, table, query, isFirstPage, list } = data
  const to = (cursor: string | null) =>
    paths.issueEvents(org, view.issue.shortId, { query, cursor, list: list.text })
  return (
    <div className="flex min-h-11 items-center gap-3 py-2 text-12 text-ink-3">
      <span>
        {numberText(table.rows.length)} of{' '}
        <b className="num font-strong text-ink">{numberText(table.total)}</b>{' '}
        {table.total === 1 ? 'event' : 'events'}
      </span>
      {table.total === 0 ? null : (
        <FileLinks to={(format) => eventPaths.eventsFile(org, view.issue.id, { query, format })} />
      )}
      <nav aria-label="Pages" className="ms-auto flex gap-2">
        {isFirstPage ? null : (
          <PageLink className={buttonClass('plain', 'small', 'touch')} to={to(null)}>
            Newest
          </PageLink>
        )}
        {table.nextCursor === null ? null : (
          <PageLink
            prefetch
            rel="next"
            className={buttonClass('plain', 'small', 'touch')}
            to={to(table.nextCursor)}
          >
            Older <Icon name="chevron-right" size={14} />
          </PageLink>
        )}
      </nav>
    </div>
  )
}
