import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { PickList } from '#parts/pick-list.tsx'
import { PLATFORMS } from '#parts/platforms.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadNewProject } from './projects.server.ts'

export function NewProjectView() {
  const { org, slugRule, teams } = usePageData<typeof loadNewProject>()
  return (
    <Page>
      <PageHead
        title="New project"
        crumbs={[{ text: 'Projects', path: paths.projects(org) }, { text: 'New' }]}
      >
        One app or service, with its own DSN.
      </PageHead>
      <ActionForm action="project.create" className="grid form-width gap-4">
        <FormRefusal />
        <FormText name="name" label="Name" required />
        <FormText
          name="slug"
          label="Slug"
          mono
          hint={`Part of URLs and issue IDs. Leave empty to derive it from the name. ${slugRule}`}
        />
        <FormSelect
          name="platform"
          label="Platform"
          initial="javascript-nextjs"
          hint="Decides which setup guide you see next."
        >
          {PLATFORMS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </FormSelect>
        {teams.teams.length === 0 ? null : (
          <PickList
            {...{ org, choices: teams }}
            of="teams"
            name="teams"
            title="Teams with access"
            hint={<p className="text-12 text-ink-3">Owners and managers see every project.</p>}
          />
        )}
        <div>
          <Submit>Create project</Submit>
        </div>
      </ActionForm>
    </Page>
  )
}
