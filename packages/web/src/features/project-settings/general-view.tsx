import { FormRefusal, FormSelect, FormText, Submit } from '#app/form-parts.tsx'
import { useCan } from '#app/frame-data.ts'
import { PLATFORMS } from '#features/projects/platforms.ts'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { LimitFields } from './limit-fields.tsx'
import type { loadGeneral } from './project-settings.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

export function GeneralView() {
  const { org, project, slugRule } = usePageData<typeof loadGeneral>()
  const mayWrite = useCan('project.write')
  const toast = useToast()
  return (
    <ProjectSettingsPage org={org} project={project} title="Settings">
      {mayWrite ? null : <ReadOnlyNote />}
      <ActionForm action="project.save" onResult={() => toast({ text: 'Saved' })}>
        <fieldset disabled={!mayWrite} className="grid max-w-110 gap-4">
          <FormRefusal />
          <FormText name="name" label="Name" initial={project.name} required />
          <FormText
            name="slug"
            label="Slug"
            mono
            initial={project.slug}
            hint={`Part of addresses and short ids of new issues. ${slugRule}`}
            required
          />
          <FormSelect
            name="platform"
            label="Platform"
            initial={project.platform}
            hint="Chooses the snippet shown first."
          >
            {PLATFORMS.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </FormSelect>
          <FormSelect
            name="retentionDays"
            label="Events are kept for"
            initial={String(project.retentionDays)}
            hint="Holds for events that arrive from now on. Issues and their counts stay."
          >
            <option value="30">30 days</option>
            <option value="90">90 days</option>
            <option value="365">365 days</option>
          </FormSelect>
          <LimitFields limit={project.rateLimit} />
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
