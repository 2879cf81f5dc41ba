/** Channels: where alerts go, and what each receiver answered last. */
import { DocsLink } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { AlertHead, AlertTabs } from './alert-tabs.tsx'
import { AnswerMark } from './answer-mark.tsx'
import type { loadChannels } from './channels.server.ts'

type Data = Awaited<ReturnType<typeof loadChannels>>
type Row = Data['rows'][number]

export function AlertChannelsPage() {
  const { org, counts, rows, mayWrite } = usePageData<typeof loadChannels>()
  const add = (
    <PageLink className={buttonClass('primary', 'normal', 'touch')} to={paths.newAlertChannel(org)}>
      New channel
    </PageLink>
  )
  return (
    <>
      <title>{`Channels · ${org} · Errata`}</title>
      <AlertHead end={mayWrite && rows.length > 0 ? add : null} />
      <AlertTabs org={org} counts={counts} />
      {rows.length === 0 ? (
        <Empty title="No channels yet" next={mayWrite ? add : undefined}>
          Alerts go to members by email. Channels send them to chat, phones, pagers or your own webhook.
          {mayWrite ? null : ' Owners and managers add channels.'} <DocsLink to="chat" />
        </Empty>
      ) : (
        <ChannelTable org={org} rows={rows} />
      )}
    </>
  )
}

function ChannelTable({ org, rows }: { readonly org: string; readonly rows: readonly Row[] }) {
  return (
    <Table caption="Channels" edge stacks="early">
      <thead>
        <tr>
          <th scope="col">Channel</th>
          <th scope="col">Service</th>
          <th scope="col">Last response</th>
          <th scope="col">Used by</th>
          <th scope="col" className="mid-only">
            Added by
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" className="stack-first">
              <PageLink to={paths.alertChannel(org, row.id)} className="foreign link row-link font-strong">
                {row.name}
              </PageLink>
            </th>
            <td className="stack-end max-phone:text-ink-2">{row.service}</td>
            <td className="foreign stack-line">
              <LastAnswer last={row.last} />
            </td>
            <td className="stack-line max-phone:text-12">
              <span className="text-ink-3 phone:hidden">Used by </span>
              <UsedBy org={org} rules={row.rules} />
            </td>
            <td className="foreign stack-none mid-only">{row.createdBy}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

export function LastAnswer({ last }: { readonly last: Row['last'] }) {
  if (last === null) return <span className="text-ink-3">nothing sent yet</span>
  return (
    <AnswerMark state={last.isDelivered ? 'sent' : 'failed'}>
      {last.says}{' '}
      <span className="font-normal text-ink-3">
        <Time ms={last.atMs} />
      </span>
    </AnswerMark>
  )
}

export function UsedBy({ org, rules }: { readonly org: string; readonly rules: Row['rules'] }) {
  if (rules.length === 0) return <span className="text-ink-3">no rule</span>
  return rules.map(({ id, name }, at) => (
    <span key={id}>
      {at === 0 ? '' : ', '}
      <PageLink to={paths.alertRule(org, id)} className="foreign link link-alone">
        {name}
      </PageLink>
    </span>
  ))
}
