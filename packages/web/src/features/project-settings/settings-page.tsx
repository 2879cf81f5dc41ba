import type { ReactNode } from 'react'
import { DocsButton } from '#parts/docs-link.tsx'
import { useCan } from '#parts/frame-data.ts'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { SettingsFrame } from '#parts/settings-frame.tsx'
import { PageLink } from '#wire/page-link.tsx'

/** Head and list of a project's settings. */
export function ProjectSettingsPage(props: {
  readonly org: string
  readonly project: { readonly name: string; readonly slug: string }
  readonly title: string
  readonly wide?: true
  readonly children: ReactNode
}) {
  const { org, project, title } = props
  const mayDelete = useCan('project.delete')
  const places = [
    { name: 'General', path: paths.projectSettings(org, project.slug) },
    { name: 'Retention and limits', path: paths.projectRetention(org, project.slug) },
    { name: 'Client keys', path: paths.projectKeys(org, project.slug) },
    { name: 'Relay', path: paths.projectRelay(org, project.slug) },
    { name: 'Data scrubbing', path: paths.projectScrubbing(org, project.slug) },
    { name: 'Inbound filters', path: paths.projectFilters(org, project.slug) },
    { name: 'Grouping', path: paths.projectGrouping(org, project.slug) },
    { name: 'Environments', path: paths.projectEnvironments(org, project.slug) },
    { name: 'Ownership', path: paths.projectOwnership(org, project.slug) },
    { name: 'Source maps', path: paths.projectSourceMaps(org, project.slug) },
    { name: 'Alerts', path: paths.projectAlerts(org, project.slug) },
    ...(mayDelete ? [{ name: 'Danger zone', path: paths.projectDanger(org, project.slug) }] : []),
  ]
  return (
    <Page wide>
      <PageHead
        title={title}
        crumbs={[
          { text: project.name, path: paths.issues(org, { project: project.slug }) },
          { text: 'Settings' },
        ]}
        end={
          <>
            <DocsButton about={title} />
            <PageLink className="btn" to={paths.firstEvent(org, project.slug)}>
              Setup guide
            </PageLink>
          </>
        }
      />
      <SettingsFrame label="Settings of the project" places={places} wide={props.wide === true}>
        {props.children}
      </SettingsFrame>
    </Page>
  )
}

/** Says that the reader may look at the settings but not change them. */
export function ReadOnlyNote() {
  return <p className="mb-4 text-13 text-ink-2">Only owners and managers can change these settings.</p>
}
