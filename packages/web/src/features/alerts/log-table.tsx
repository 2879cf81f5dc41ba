import { paths } from '#parts/paths.ts'
import { quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { durationText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { AnswerMark } from './answer-mark.tsx'
import type { LogData } from './log-data.ts'
import { logQuery, senderName } from './log-params.ts'
import { AlertLevelMark } from './state-mark.tsx'

type Row = LogData['rows'][number]

export function LogTable({ data }: { readonly data: LogData }) {
  return (
    <Table caption="Messages, newest first" edge stacks="early">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col" className="mid-only min-w-32">
            Rule
          </th>
          <th scope="col">What</th>
          <th scope="col" className="mid-only">
            To
          </th>
          <th scope="col">Response</th>
          <th scope="col" className={`wide-only ${tableNum}`}>
            Duration
          </th>
        </tr>
      </thead>
      <tbody>
        {data.rows.map((row) => (
          <LogRow key={row.ref} row={row} data={data} />
        ))}
      </tbody>
    </Table>
  )
}

function LogRow({ row, data }: { readonly row: Row; readonly data: LogData }) {
  const { org, address } = data
  const isChosen = row.ref === address.message
  const { before } = address
  return (
    <tr aria-current={isChosen ? 'true' : undefined} className={isChosen ? 'bg-select' : undefined}>
      <td className="stack-end num whitespace-nowrap text-ink-2">
        <Time ms={row.atMs} />
      </td>
      <td className="foreign mid-only max-phone:text-12 max-phone:text-ink-3">
        {senderName(row) ?? <span className="text-ink-3">none</span>}
      </td>
      <th
        scope="row"
        className="stack-first max-w-90 overflow-hidden @min-[38.75rem]:@max-[53rem]:max-w-72 @min-[38.75rem]:@max-[53rem]:py-1.5"
      >
        <PageLink
          to={
            row.ofProject === null
              ? paths.alertLog(org, logQuery(address, { before, message: row.ref }))
              : `${paths.projectAlerts(org, row.ofProject.slug)}#log`
          }
          className="foreign link row-link flex items-start gap-1.5 font-normal"
        >
          <AlertLevelMark level={row.level} />
          <span className="min-w-0 truncate" title={row.headline}>
            {row.headline}
          </span>
        </PageLink>
        {/* Where the columns of both are left out. */}
        <span className="foreign hidden truncate ps-5 text-12 font-normal text-ink-3 @min-[38.75rem]:@max-[53rem]:block">
          {[senderName(row), `${row.service} ${row.to}`].filter((part) => part !== null).join(' · ')}
        </span>
      </th>
      <td className="foreign mid-only max-phone:text-12">
        <b className="font-strong whitespace-nowrap">{row.service}</b> {row.to}
      </td>
      <td className="stack-line phone:whitespace-nowrap">
        <Answer row={row} />
      </td>
      <td className={`stack-none wide-only ${tableNum} whitespace-nowrap`}>
        {row.tries > 1
          ? quantityText(row.tries, 'try', 'tries')
          : row.tookMs === null
            ? ''
            : durationText(row.tookMs)}
      </td>
    </tr>
  )
}

export function Answer({
  row,
}: {
  readonly row: Pick<Row, 'state' | 'says' | 'heldUntilMs' | 'nextMs' | 'tries'>
}) {
  const { state, says, heldUntilMs, nextMs, tries } = row
  if (state === 'waiting' && tries === 0 && heldUntilMs !== null)
    return (
      <AnswerMark state={state}>
        held until <Time ms={heldUntilMs} form="exact" />
      </AnswerMark>
    )
  if (state === 'waiting' || state === 'sending')
    return (
      <AnswerMark state={state}>
        {/* A sentence goes on. */}
        {says?.replace(/\.$/, '') ?? (state === 'sending' ? 'sending' : 'waiting')}
        {nextMs === null || tries === 0 ? null : (
          <>
            , next try <Time ms={nextMs} form="until" />
          </>
        )}
      </AnswerMark>
    )
  if (state === 'gathered') return <AnswerMark state={state}>combined into a later message</AnswerMark>
  return <AnswerMark state={state}>{says ?? state}</AnswerMark>
}
