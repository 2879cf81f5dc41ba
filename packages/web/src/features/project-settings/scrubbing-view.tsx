import { useCan } from '#parts/frame-data.ts'
import { usePageData } from '#wire/page-data.ts'
import { OptionsForm } from './options-form.tsx'
import type { loadScrubbing } from './project-settings.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

export function ScrubbingView() {
  const view = usePageData<typeof loadScrubbing>()
  const mayWrite = useCan('project.write')
  return (
    <ProjectSettingsPage org={view.org} project={view.project} title="Data scrubbing">
      {mayWrite ? null : <ReadOnlyNote />}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Passwords, tokens, authorization headers, cookies, card numbers and private keys are always removed
        before anything is stored. Changes apply to events that arrive from now on.
      </p>
      <OptionsForm action="project.scrubbing" view={view} fields={view.fields} titled />
    </ProjectSettingsPage>
  )
}
