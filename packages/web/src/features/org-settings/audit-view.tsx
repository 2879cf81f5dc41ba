import { paths } from '#parts/paths.ts'
import { Empty } from '#ui/empty.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { auditQuery, isFiltered } from './audit-params.ts'
import { actionText, detailText } from './audit-texts.ts'
import type { loadAudit } from './org-settings.server.ts'
import { OrgSettingsPage } from './settings-page.tsx'

type Entry = Awaited<ReturnType<typeof loadAudit>>['entries'][number]

export function AuditView() {
  const { org, entries, address, rowsMax } = usePageData<typeof loadAudit>()
  const last = entries.at(-1)
  return (
    <OrgSettingsPage title="Audit log">
      <AuditFilters />
      {entries.length === 0 ? (
        <NoEntries />
      ) : (
        <Table caption="Audit log, newest first" stacks>
          <thead>
            <tr>
              <th>What</th>
              <th>Who</th>
              <th>When</th>
              <th>IP address</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </tbody>
        </Table>
      )}
      <nav aria-label="Pages" className="mt-4 flex gap-2">
        {address.before === null ? null : (
          <PageLink className="btn" to={paths.audit(org, auditQuery(address))}>
            Newest
          </PageLink>
        )}
        {last === undefined || entries.length < rowsMax ? null : (
          <PageLink className="btn" to={paths.audit(org, auditQuery(address, { before: last.id }))}>
            Older
          </PageLink>
        )}
      </nav>
    </OrgSettingsPage>
  )
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  const detail = detailText(entry.detail)
  return (
    <tr>
      <td className="min-w-60">
        <span title={entry.action}>{actionText(entry.action)}</span>{' '}
        <b className="foreign font-strong">{entry.target}</b>
        {detail === '' ? null : <span className="foreign block text-12 text-ink-3">{detail}</span>}
      </td>
      <td className="foreign">{entry.actor}</td>
      <td className="num whitespace-nowrap text-ink-2">
        <Time ms={entry.atMs} form="exact" />
      </td>
      <td className="num text-ink-2">{entry.address}</td>
    </tr>
  )
}

function NoEntries() {
  const { address } = usePageData<typeof loadAudit>()
  if (address.before !== null)
    return <Empty title="No older entries">The first entry of the log is on the page before.</Empty>
  if (isFiltered(address)) return <Empty title="No matching entries">No changes match these filters.</Empty>
  return <Empty title="No entries yet">Every change that affects security is recorded here.</Empty>
}
