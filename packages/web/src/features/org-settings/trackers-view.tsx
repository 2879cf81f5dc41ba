/** Issue trackers: where issues are created, and what follows from closing them. */
import { DocsLink } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { orgSettingsPaths } from './paths.ts'
import { OrgSettingsPage } from './settings-page.tsx'
import type { loadTrackers } from './trackers.server.ts'

type Data = Awaited<ReturnType<typeof loadTrackers>>
type Row = Data['rows'][number]

export function TrackersView() {
  const { org, rows, mayWrite } = usePageData<typeof loadTrackers>()
  const add = (
    <PageLink className={buttonClass('primary', 'normal', 'touch')} to={paths.newTracker(org)}>
      New issue tracker
    </PageLink>
  )
  return (
    <OrgSettingsPage title="Issue trackers">
      {rows.length === 0 ? (
        <Empty title="No issue trackers yet" next={mayWrite ? add : undefined}>
          Create issues in GitHub, GitLab, Gitea, Jira or Linear from an issue’s page, or link existing ones.
          {mayWrite ? null : ' Owners and managers set them up.'} <DocsLink to="trackers#set-one-up" />
        </Empty>
      ) : (
        <>
          <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-160 text-13 text-ink-2">
              Issues are created and linked on the page of an issue.
            </p>
            {mayWrite ? add : null}
          </div>
          <TrackerTable org={org} rows={rows} />
        </>
      )}
    </OrgSettingsPage>
  )
}

function TrackerTable({ org, rows }: { readonly org: string; readonly rows: readonly Row[] }) {
  return (
    <Table caption="Issue trackers" stacks="early">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Service</th>
          <th scope="col">Creates in</th>
          <th scope="col">Sync</th>
          <th scope="col">Last webhook</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" className="stack-line">
              <PageLink
                to={orgSettingsPaths.tracker(org, row.id)}
                className="foreign link link-alone font-strong"
              >
                {row.name}
              </PageLink>
            </th>
            <td data-label="Service">{row.service}</td>
            <td className="foreign" data-label="Creates in">
              {row.place}
            </td>
            <td data-label="Sync">{syncText(row)}</td>
            <td data-label="Last webhook">
              {row.heardMs === null ? (
                <span className="text-ink-3">none yet</span>
              ) : (
                <Time ms={row.heardMs} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function syncText({ resolvesHere, closesThere }: Row): string {
  if (resolvesHere && closesThere) return 'both ways'
  if (resolvesHere) return 'from tracker to Errata'
  return closesThere ? 'from Errata to tracker' : 'off'
}
