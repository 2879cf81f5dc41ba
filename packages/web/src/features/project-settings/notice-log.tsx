import { paths } from '#parts/paths.ts'
import { Chip } from '#ui/chip.tsx'
import { Empty } from '#ui/empty.tsx'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { Time, useNow } from '#ui/time.tsx'
import { spanText } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { deliveryText, heldBackText, isTrouble, restText } from './notice-texts.ts'
import type { loadNotices } from './notices.server.ts'

type LogEntry = Awaited<ReturnType<typeof loadNotices>>['log'][number]

/** Log of notices: what was sent, to how many, and the result. */
export function NoticeLog() {
  const { log, heldBack, days, isFirst } = usePageData<typeof loadNotices>()
  return (
    <Section title="Delivery log" note={heldBackText(heldBack)} id="log">
      {log.length === 0 ? (
        <Empty title={isFirst ? 'No alerts yet' : 'No older alerts'}>
          New issues and tests appear here. Alerts are kept for {days} days.
        </Empty>
      ) : (
        <Table caption="Alerts, newest first" stacks>
          <thead>
            <tr>
              <th>Alert</th>
              <th>Delivery</th>
              <th>When</th>
            </tr>
          </thead>
          <tbody>
            {log.map((entry) => (
              <LogRow key={entry.id} entry={entry} />
            ))}
          </tbody>
        </Table>
      )}
      <Pages />
    </Section>
  )
}

function Pages() {
  const { org, project, log, isFirst, rowsMax } = usePageData<typeof loadNotices>()
  const last = log.at(-1)
  const isLast = last === undefined || log.length < rowsMax
  if (isFirst && isLast) return null
  return (
    <nav aria-label="Pages of the log" className="mt-4 flex gap-2">
      {isFirst ? null : (
        <PageLink className="btn" to={`${paths.projectAlerts(org, project.slug)}#log`}>
          Newest
        </PageLink>
      )}
      {isLast ? null : (
        <PageLink className="btn" to={`${paths.projectAlerts(org, project.slug, { before: last.id })}#log`}>
          Older
        </PageLink>
      )}
    </nav>
  )
}

function LogRow({ entry }: { readonly entry: LogEntry }) {
  return (
    <tr>
      <td className="stack-first w-1/2 align-top">
        <What entry={entry} />
        {entry.heldBack === 0 ? null : (
          <span className="block text-12 text-ink-3">
            {`Regressed ${numberText(entry.heldBack)} more ${entry.heldBack === 1 ? 'time' : 'times'} while its alerts were paused`}
          </span>
        )}
      </td>
      <td className="stack-line align-top">
        <Delivered entry={entry} />
      </td>
      <td className="stack-end whitespace-nowrap align-top text-ink-2">
        <Time ms={entry.atMs} />
      </td>
    </tr>
  )
}

function What({ entry: { kind, issue, rest } }: { readonly entry: LogEntry }) {
  const { org } = usePageData<typeof loadNotices>()
  if (kind === 'test') return 'Test'
  if (rest !== null) {
    return `Summary: ${restText(rest)}`
  }
  const word = kind === 'new' ? 'New' : kind === 'regressed' ? 'Regressed' : 'Unarchived'
  if (issue === null) return `${word}: a deleted issue`
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <PageLink className="link link-alone row-link" to={paths.issue(org, issue.shortId)}>
          {issue.shortId}
        </PageLink>
        <Chip tone={kind === 'new' ? 'new' : 'outline'}>{word}</Chip>
      </span>
      <span className="foreign line-clamp-2 max-w-100 text-12 text-ink-2" title={issue.title}>
        {issue.title}
      </span>
    </>
  )
}

function Delivered({ entry: { dueMs, dropped, deliveries } }: { readonly entry: LogEntry }) {
  const { triesMax } = usePageData<typeof loadNotices>()
  const now = useNow()
  if (dueMs !== null) {
    const wait = dueMs - now
    return (
      <span className="text-ink-2">
        {wait <= 0 ? 'Sending shortly' : `Will be sent in ${spanText(wait)}`}
      </span>
    )
  }
  if (dropped !== null) return <span className="text-ink-2">{`Not sent. ${dropped}`}</span>
  return (
    <ul className="grid gap-1">
      {deliveries.map((group) => (
        <li
          key={`${group.channel} ${group.state}`}
          className={`foreign ${isTrouble(group.state) ? 'text-bad' : ''}`}
        >
          {deliveryText(group, { nowMs: now, triesMax })}
        </li>
      ))}
    </ul>
  )
}
