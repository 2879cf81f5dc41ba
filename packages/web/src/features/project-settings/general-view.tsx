import { FormSelect, FormText } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { PLATFORMS } from '#parts/platforms.ts'
import { SettingsForm } from '#parts/settings-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadGeneral } from './project-settings.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

export function GeneralView() {
  const view = usePageData<typeof loadGeneral>()
  const { org, project, slugRule } = view
  const mayWrite = useCan('project.write')
  return (
    <ProjectSettingsPage org={org} project={project} title="General">
      {mayWrite ? null : <ReadOnlyNote />}
      <SettingsForm action="project.save" seen={view.seen} of={project.slug} mayWrite={mayWrite}>
        <FormText name="name" label="Name" initial={project.name} required />
        <FormText
          name="slug"
          label="Slug"
          mono
          initial={project.slug}
          hint={`Part of URLs and issue IDs; old ones redirect here. ${slugRule}`}
          required
        />
        <FormSelect
          name="platform"
          label="Platform"
          initial={project.platform}
          hint="Decides which setup guide is shown first."
        >
          {PLATFORMS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </FormSelect>
      </SettingsForm>
    </ProjectSettingsPage>
  )
}
