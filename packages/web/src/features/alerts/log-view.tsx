/** The log of alerts: what went out, to whom, and what the receiver answered. */
import type { ReactNode } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import { FindPerson } from '#parts/find-person.tsx'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { durationText, spanText } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadLog } from './alert-log.server.ts'
import { AlertTabs } from './alert-tabs.tsx'
import type { LogData } from './log-data.ts'
import { LogFilters } from './log-filters.tsx'
import { isLogFiltered, logQuery } from './log-params.ts'
import { LogSide } from './log-side.tsx'
import { LogTable } from './log-table.tsx'

export function AlertLogPage() {
  const data = usePageData<typeof loadLog>()
  const { org, counts, chosen, rows } = data
  return (
    <>
      <title>{`Log · Alerts · ${org} · Errata`}</title>
      <h1 className="visually-hidden">Alerts</h1>
      <LogFilters data={data} />
      <AlertTabs org={org} counts={counts} />
      <Readable part="messages" what="The log">
        <Summary data={data} />
        <div className={chosen === null ? '' : 'grid grid-cols-[minmax(0,1fr)_22rem] max-wide:grid-cols-1'}>
          <div className="min-w-0 max-wide:order-2">
            {rows.length === 0 ? <NoRows data={data} /> : <LogTable data={data} />}
            <Foot data={data} />
          </div>
          {chosen === null ? null : <LogSide data={data} chosen={chosen} />}
        </div>
      </Readable>
    </>
  )
}

function Summary({ data: { sums, medianMs, address } }: { readonly data: LogData }) {
  const total = Object.values(sums).reduce((sum, count) => sum + count, 0)
  // The empty list below says so, and what to do.
  if (total === 0) return null
  const waiting = sums.waiting + sums.sending
  const parts: readonly (readonly [number, string])[] = [
    [sums.sent, 'delivered'],
    [sums.gathered, 'combined into a later one'],
    [waiting, 'waiting'],
    [sums.cancelled, 'cancelled'],
  ]
  const shown = parts.filter(([count], at) => at === 0 || count > 0)
  return (
    <p className="border-b px-6 py-4 text-15 text-ink-2 max-phone:px-4">
      <Bold>{quantityText(total, 'message')}</Bold> in {quantityText(Number(address.days), 'day')}
      {': '}
      {shown.map(([count, what]) => (
        <span key={what}>
          <Bold>{numberText(count)}</Bold> {what},{' '}
        </span>
      ))}
      <span className={sums.failed > 0 ? 'font-strong text-bad' : undefined}>
        {sums.failed === 0 ? 'none failed' : `${numberText(sums.failed)} not delivered`}
      </span>
      {'.'}
      {medianMs === null ? null : (
        <>
          {' '}
          Half were delivered within <Bold>{medianText(medianMs)}</Bold>.
        </>
      )}
    </p>
  )
}

/** Held back over night it is hours. */
function medianText(ms: number): string {
  return ms < 60_000 ? durationText(ms) : spanText(ms)
}

function Bold({ children }: { readonly children: ReactNode }) {
  return <b className="font-strong text-ink">{children}</b>
}

function NoRows({ data: { org, address } }: { readonly data: LogData }) {
  if (address.before !== '')
    return <Empty title="No older messages">You have reached the end of the log.</Empty>
  if (isLogFiltered(address))
    return (
      <Empty
        title="No message matches"
        next={
          <>
            <PageLink className={buttonClass()} to={paths.alertLog(org)}>
              Show all messages
            </PageLink>
            <FindPerson org={org} text={address.text} />
          </>
        }
      >
        No message matches these filters.
      </Empty>
    )
  return (
    <Empty
      title="No messages yet"
      next={
        <PageLink className={buttonClass()} to={paths.alerts(org)}>
          See rules
        </PageLink>
      }
    >
      Messages that rules and projects send appear here, each with the receiver’s response.{' '}
      <DocsLink to="chat#the-log" />
    </Empty>
  )
}

function Foot({ data }: { readonly data: LogData }) {
  const { org, address, rows, rowsMax, keptDays } = data
  const last = rows.at(-1)
  return (
    <div className="flex flex-wrap items-center gap-2 px-6 py-3 text-12 text-ink-2 max-phone:px-4">
      <span className="flex-1">Kept for {keptDays} days. Channel secrets are never shown.</span>
      {address.before === '' ? null : (
        <PageLink className="btn touch" to={paths.alertLog(org, logQuery(address))}>
          Newest
        </PageLink>
      )}
      {last === undefined || rows.length < rowsMax ? null : (
        <PageLink className="btn touch" to={paths.alertLog(org, logQuery(address, { before: last.cursor }))}>
          Older
        </PageLink>
      )}
    </div>
  )
}
