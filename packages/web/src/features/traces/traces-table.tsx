import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { nameParts } from '#parts/person-name.ts'
import { RequestError } from '#parts/request-error.tsx'
import { useRowKeys } from '#parts/use-row-keys.ts'
import { Chip } from '#ui/chip.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { useZone } from '#ui/time.tsx'
import { clockText, dateText, durationText, exactText, isoText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { RequestEndText } from './request-end.tsx'
import { TimeSpent } from './time-spent.tsx'
import type { TraceRow, TracesData } from './traces.server.ts'

const DAY_MS = 86_400_000

/** A row for each trace: its first request, and the services that had a part in it. */
export function TracesTable({ data }: { readonly data: TracesData }) {
  const most = data.rows.reduce((top, { durationMs }) => Math.max(top, durationMs), 0)
  const hasErrors = data.rows.some(({ error }) => error !== null)
  const list = useRowKeys()
  return (
    <div ref={list}>
      <Table caption="Traces" edge stacks="columns" className="rows-open">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Started</th>
            <th scope="col" className="mid-only stack-none">
              Time, full bar {durationText(most)}
            </th>
            <th scope="col" className={tableNum}>
              Duration
            </th>
            <th scope="col" className={`wide-only ${tableNum}`}>
              Spans
            </th>
            <th scope="col">Status</th>
            {hasErrors ? (
              <th scope="col" className="stack-none">
                Error
              </th>
            ) : null}
            <th scope="col" className="mid-only">
              User
            </th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <Row key={row.id} {...{ row, data, most, hasErrors }} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function Row(props: {
  readonly row: TraceRow
  readonly data: TracesData
  readonly most: number
  readonly hasErrors: boolean
}) {
  const { row, data, most, hasErrors } = props
  const query = { near: Math.round(row.atMs), span: row.segmentId }
  return (
    <tr>
      <th scope="row" className="max-w-110 py-1.5!">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <PageLink
            to={paths.trace(data.org, row.traceId, query)}
            prefetch
            className="foreign row-link min-w-0 truncate font-strong hover:underline"
            title={row.actionId === null ? row.name : `${row.name}, ${row.actionId}`}
          >
            {row.action ?? row.route ?? (row.name === '' ? row.op : row.name)}
          </PageLink>
          <KindBadge kind={row.requestKind} />
          {row.repeats ? <Chip tone="warn">N+1</Chip> : null}
        </span>
        <span className="foreign text-12 font-normal text-ink-3">
          {[...row.services, row.requestKind === 'other' ? row.op : null]
            .filter((text) => text !== null && text !== '')
            .join(', ')}
          {row.others === 0 ? '' : ` · +${quantityText(row.others, 'request')}`}
        </span>
      </th>
      <td className="num whitespace-nowrap text-12 text-ink-2">
        <Started atMs={row.atMs} nowMs={data.range.endMs} />
      </td>
      <td className="mid-only stack-none">
        <TimeSpent row={row} most={most} />
      </td>
      <td className={`${tableNum} ${row.isSlow ? 'font-strong text-warn' : ''}`}>
        {durationText(row.durationMs)}
      </td>
      <td className={`wide-only ${tableNum}`}>
        {row.isSampledOut ? (
          <span
            className="text-ink-3"
            title="The project’s sample rate dropped its spans. The request is still counted."
          >
            not sampled
          </span>
        ) : (
          numberText(row.spanCount)
        )}
      </td>
      <td className="whitespace-nowrap">
        <RequestEndText end={row.end} httpStatus={row.httpStatus} />
      </td>
      {hasErrors ? (
        <td className={`max-w-48 text-13 ${row.error === null ? 'stack-none' : 'stack-line'}`}>
          {row.error === null ? null : <RequestError org={data.org} error={row.error} />}
        </td>
      ) : null}
      <td className="mid-only max-w-40 truncate text-12 text-ink-2">
        {row.user === null ? null : (
          <PageLink
            className="foreign link"
            to={paths.person(data.org, row.user)}
            title={nameParts(row.user).name}
          >
            {nameParts(row.user).name}
          </PageLink>
        )}
      </td>
    </tr>
  )
}

/** The time of a day; of an older one its date, too. */
function Started({ atMs, nowMs }: { readonly atMs: number; readonly nowMs: number }) {
  const zone = useZone()
  return (
    <time dateTime={isoText(atMs)} title={exactText(atMs, zone)}>
      {nowMs - atMs > DAY_MS ? `${dateText(atMs, zone)}, ` : ''}
      {clockText(atMs, zone)}
    </time>
  )
}
