import { useCan } from '#parts/frame-data.ts'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { PLATFORMS } from '#parts/platforms.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadProjects } from './projects.server.ts'

export function ProjectsView() {
  const { org, projects } = usePageData<typeof loadProjects>()
  const mayCreate = useCan('project.create')
  const create = (
    <PageLink to={paths.newProject(org)} className={buttonClass('primary')}>
      New project
    </PageLink>
  )
  return (
    <Page wide>
      <PageHead title="Projects" end={mayCreate ? create : undefined} />
      {projects.length === 0 ? (
        <Empty title="No project that you may see">
          {mayCreate
            ? 'A project is one app or service. Create one to receive its events.'
            : 'Teams open projects. A manager of the organisation can add you to one.'}
        </Empty>
      ) : (
        <Table caption="Projects" className="min-w-160">
          <thead>
            <tr>
              <th>Project</th>
              <th>Platform</th>
              <th>Teams</th>
              <th>First event</th>
              <th>Created</th>
              <th>
                <span className="visually-hidden">Pages</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {projects.map((project) => (
              <tr key={project.id}>
                <td>
                  <PageLink className="link" to={paths.issues(org, { project: project.slug })}>
                    {project.name}
                  </PageLink>
                  {project.isSelf ? (
                    <span className="block text-12 text-ink-3">Errata’s own failures</span>
                  ) : null}
                </td>
                <td>{PLATFORMS.find(({ id }) => id === project.platform)?.name ?? project.platform ?? ''}</td>
                <td>{project.teams.join(', ')}</td>
                <td>
                  {project.firstEventMs === null ? (
                    <PageLink className="link" to={paths.firstEvent(org, project.slug)}>
                      waiting for it
                    </PageLink>
                  ) : (
                    <Time ms={project.firstEventMs} />
                  )}
                </td>
                <td>
                  <Time ms={project.createdMs} />
                </td>
                <td className="text-end">
                  <PageLink className="link" to={paths.projectSettings(org, project.slug)}>
                    Settings<span className="visually-hidden"> of {project.name}</span>
                  </PageLink>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Page>
  )
}
