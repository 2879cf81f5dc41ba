import { paths } from '#parts/paths.ts'
import { Empty } from '#ui/empty.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadAudit } from './org-settings.server.ts'
import { OrgSettingsPage } from './settings-page.tsx'

export function AuditView() {
  const { org, entries, isFirst, rowsMax } = usePageData<typeof loadAudit>()
  const last = entries.at(-1)
  return (
    <OrgSettingsPage title="Audit log">
      {entries.length === 0 ? (
        <Empty title={isFirst ? 'Nothing has been changed yet' : 'No older entries'}>
          Every change that concerns security is recorded here.
        </Empty>
      ) : (
        <Table caption="Audit log, newest first" className="min-w-160">
          <thead>
            <tr>
              <th>When</th>
              <th>Who</th>
              <th>What</th>
              <th>To what</th>
              <th>From</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td className="whitespace-nowrap">
                  <Time ms={entry.atMs} form="exact" />
                </td>
                <td className="foreign">{entry.actor}</td>
                <td>
                  <code className="text-12">{entry.action}</code>
                </td>
                <td className="foreign">
                  {entry.target}
                  {Object.keys(entry.detail).length === 0 ? null : (
                    <span className="block text-12 text-ink-3">
                      {Object.entries(entry.detail)
                        .map(([key, value]) => `${key}: ${value}`)
                        .join(', ')}
                    </span>
                  )}
                </td>
                <td>{entry.address ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <nav aria-label="Pages" className="mt-4 flex gap-2">
        {isFirst ? null : (
          <PageLink className="btn" to={paths.audit(org)}>
            Newest
          </PageLink>
        )}
        {last === undefined || entries.length < rowsMax ? null : (
          <PageLink className="btn" to={paths.audit(org, { before: last.id })}>
            Older
          </PageLink>
        )}
      </nav>
    </OrgSettingsPage>
  )
}
