import type { ReactNode } from 'react'
import { useCan } from '#parts/frame-data.ts'
import { Page, PageHead } from '#parts/page-head.tsx'
import { PageTabs } from '#parts/page-tabs.tsx'
import { paths } from '#parts/paths.ts'
import { PageLink } from '#wire/page-link.tsx'

/** Head and tabs of a project's settings. */
export function ProjectSettingsPage(props: {
  readonly org: string
  readonly project: { readonly name: string; readonly slug: string }
  readonly title: string
  readonly children: ReactNode
}) {
  const { org, project, title } = props
  const mayDelete = useCan('project.delete')
  const tabs = [
    { name: 'General', path: paths.projectSettings(org, project.slug) },
    { name: 'Keys', path: paths.projectKeys(org, project.slug) },
    { name: 'Scrubbing and origins', path: paths.projectScrubbing(org, project.slug) },
    { name: 'Inbound filters', path: paths.projectFilters(org, project.slug) },
    { name: 'Notices', path: paths.projectNotices(org, project.slug) },
    ...(mayDelete ? [{ name: 'Danger', path: paths.projectDanger(org, project.slug) }] : []),
  ]
  return (
    <Page>
      <PageHead
        title={`${title} of ${project.name}`}
        crumbs={[
          { text: 'Projects', path: paths.projects(org) },
          { text: project.name, path: paths.issues(org, { project: project.slug }) },
          { text: 'Settings' },
        ]}
        end={
          <PageLink className="btn" to={paths.firstEvent(org, project.slug)}>
            Snippets
          </PageLink>
        }
      />
      <PageTabs label="Settings of the project" tabs={tabs} />
      {props.children}
    </Page>
  )
}

/** For those who may look but not change. */
export function ReadOnlyNote() {
  return <p className="mb-4 text-13 text-ink-2">You may read this. Owners and managers can change it.</p>
}
