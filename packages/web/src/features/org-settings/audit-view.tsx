import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { Empty } from '#ui/empty.tsx'
import { countText } from '#ui/number-text.ts'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadAudit } from './audit.server.ts'
import { AuditFilters } from './audit-filters.tsx'
import { auditQuery, isAuditFiltered } from './audit-params.ts'
import { actionText, detailText } from './audit-texts.ts'
import { orgSettingsPaths } from './paths.ts'
import { OrgSettingsPage } from './settings-page.tsx'

type Entry = Awaited<ReturnType<typeof loadAudit>>['entries'][number]

export function AuditView() {
  const { org, entries, address, rowsMax, exportMax } = usePageData<typeof loadAudit>()
  const last = entries.at(-1)
  return (
    <OrgSettingsPage title="Audit log">
      <AuditFilters />
      <Readable part="audit" what="The audit log">
        {entries.length === 0 ? (
          <NoEntries />
        ) : (
          <Table caption="Audit log, newest first" stacks>
            <thead>
              <tr>
                <th>What</th>
                <th>Who</th>
                <th className="wide:w-56">When</th>
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
      </Readable>
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
      {entries.length === 0 ? null : (
        <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-3">
          {`Export these entries, at most ${countText(exportMax)} entries:`}
          <a className="link link-alone" href={orgSettingsPaths.auditExport(org, 'csv', auditQuery(address))}>
            CSV
          </a>
          <a
            className="link link-alone"
            href={orgSettingsPaths.auditExport(org, 'jsonl', auditQuery(address))}
          >
            JSON lines
          </a>
        </p>
      )}
    </OrgSettingsPage>
  )
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  const { org, address } = usePageData<typeof loadAudit>()
  const detail = detailText(entry.detail)
  return (
    <tr>
      <td className="min-w-60">
        <PageLink
          className="link-alone hover:underline"
          title={`${entry.action}: show only this`}
          to={paths.audit(org, auditQuery(address, { action: entry.action }))}
        >
          {actionText(entry.action)}
        </PageLink>{' '}
        <PageLink
          className="foreign link-alone font-strong hover:underline"
          title="Show only this"
          to={paths.audit(org, auditQuery(address, { target: entry.target }))}
        >
          {entry.target}
        </PageLink>
        {detail === '' ? null : <span className="foreign block text-12 text-ink-3">{detail}</span>}
      </td>
      <td className="foreign min-w-28">
        {entry.actor}
        {entry.address === null ? null : <span className="text-ink-3 phone:hidden"> · {entry.address}</span>}
      </td>
      <td className="num whitespace-nowrap text-ink-2">
        <Time ms={entry.atMs} form="exact" />
      </td>
      <td className="num stack-none text-ink-2">{entry.address}</td>
    </tr>
  )
}

function NoEntries() {
  const { address } = usePageData<typeof loadAudit>()
  if (address.before !== null)
    return <Empty title="No older entries">You have reached the end of the log.</Empty>
  if (isAuditFiltered(address))
    return <Empty title="No matching entries">No changes match these filters.</Empty>
  return <Empty title="No entries yet">Every change that affects security is recorded here.</Empty>
}
