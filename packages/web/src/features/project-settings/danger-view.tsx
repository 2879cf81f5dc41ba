import type { ReactNode } from 'react'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { Dialog, DialogButton, DialogCancel, useDialogId } from '#ui/dialog.tsx'
import { quantityText, shortNumberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { useHydrated } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { projectSettingsPaths } from './paths.ts'
import { PersonSection } from './person-section.tsx'
import type { loadDanger } from './project-settings.server.ts'
import { ProjectSettingsPage } from './settings-page.tsx'

export function DangerView() {
  const { org, project, size } = usePageData<typeof loadDanger>()
  const dialog = useDialogId()
  const hydrated = useHydrated()
  const what = `${quantityText(size.issues, 'issue')}, ${quantityText(size.events, 'event')} and ${quantityText(size.keys, 'key')}`
  return (
    <ProjectSettingsPage org={org} project={project} title="Danger zone">
      <PersonSection file={projectSettingsPaths.personFile(org, project.slug)} />
      <Section title="Delete the project">
        <p className="mb-3 max-w-160 text-13 text-ink-2">
          {`This deletes ${what}. `}
          Events from apps that still use its DSN are refused. This can’t be undone.
          {project.isSelf ? ' Errata reports its own failures to this project.' : ''}
        </p>
        {hydrated ? (
          <>
            <DialogButton dialog={dialog} variant="danger-plain">
              Delete…
            </DialogButton>
            <Dialog id={dialog} title={`Delete project “${project.name}”?`}>
              <p className="mb-4 text-13 text-ink-2">{`This deletes ${what}. This can’t be undone.`}</p>
              <DeleteForm slug={project.slug} events={size.events}>
                <DialogCancel dialog={dialog}>Cancel</DialogCancel>
              </DeleteForm>
            </Dialog>
          </>
        ) : (
          <DeleteForm slug={project.slug} events={size.events} />
        )}
      </Section>
    </ProjectSettingsPage>
  )
}

function DeleteForm(props: {
  readonly slug: string
  readonly events: number
  readonly children?: ReactNode
}) {
  return (
    <ActionForm action="project.delete" className="grid form-width gap-4">
      <FormRefusal />
      <FormText name="confirm" label={`Type ${props.slug} to confirm`} mono autoComplete="off" required />
      <div className="flex justify-end gap-2">
        {props.children}
        <Submit variant="danger">
          {props.events === 0 ? 'Delete project' : `Delete ${shortNumberText(props.events)} events`}
        </Submit>
      </div>
    </ActionForm>
  )
}
