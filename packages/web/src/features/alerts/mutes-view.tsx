/** Rules that notify nobody for now. */
import { DocsLink } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { AlertHead, AlertTabs } from './alert-tabs.tsx'
import type { loadMutes } from './alerts.server.ts'

export function AlertMutesPage() {
  const { org, counts, rows, mayWrite } = usePageData<typeof loadMutes>()
  return (
    <>
      <title>{`Mutes · ${org} · Errata`}</title>
      <AlertHead />
      <AlertTabs org={org} counts={counts} />
      {rows.length === 0 ? (
        <Empty
          title="No muted rules"
          next={
            <PageLink className={buttonClass()} to={paths.alerts(org)}>
              See rules
            </PageLink>
          }
        >
          Mute a rule from its menu for an hour, until Monday or forever. It is still evaluated.{' '}
          <DocsLink to="alerts#noise" />
        </Empty>
      ) : (
        <Table caption="Muted rules" edge stacks>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Until</th>
              <th scope="col">By</th>
              <th scope="col">
                <span className="visually-hidden">Changes</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, untilMs, by }) => (
              <tr key={id}>
                <th scope="row" className="stack-line">
                  <PageLink to={paths.alertRule(org, id)} className="foreign link font-strong">
                    {name}
                  </PageLink>
                </th>
                <td data-label="Until">{untilMs === null ? 'forever' : <Time ms={untilMs} />}</td>
                <td className="foreign" data-label="By">
                  {by}
                </td>
                <td className="stack-end">
                  {mayWrite ? (
                    <ActionForm action="alerts.mute" hidden={{ rule: id, until: 'now' }}>
                      <button type="submit" className="btn touch">
                        Unmute
                      </button>
                    </ActionForm>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  )
}
