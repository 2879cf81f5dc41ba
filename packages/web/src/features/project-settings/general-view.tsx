import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { PLATFORMS } from '#parts/platforms.ts'
import { Seen } from '#parts/seen.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadGeneral } from './project-settings.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

export function GeneralView() {
  const view = usePageData<typeof loadGeneral>()
  const { org, project, slugRule } = view
  const mayWrite = useCan('project.write')
  const toast = useToast()
  return (
    <ProjectSettingsPage org={org} project={project} title="General">
      {mayWrite ? null : <ReadOnlyNote />}
      <ActionForm action="project.save" onResult={() => toast({ text: 'Saved' })}>
        <fieldset disabled={!mayWrite} className="grid form-width gap-4">
          <FormRefusal />
          <Seen key={project.slug} values={view.seen} />
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
          {mayWrite ? (
            <div>
              <Submit>Save</Submit>
            </div>
          ) : null}
        </fieldset>
      </ActionForm>
    </ProjectSettingsPage>
  )
}
