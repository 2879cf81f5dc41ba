import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { NoticeLog } from './notice-log.tsx'
import { NoticeTest } from './notice-test.tsx'
import type { loadNotices } from './notices.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'
import { WebhookSection } from './webhook-section.tsx'

export function NoticesView() {
  const view = usePageData<typeof loadNotices>()
  const mayWrite = useCan('project.write')
  return (
    <ProjectSettingsPage org={view.org} project={view.project} title="Notices">
      {mayWrite ? null : <ReadOnlyNote />}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        When an issue is new or comes back, members who read this project are told by mail, and one webhook is
        called. Beyond {view.perHourMax} in an hour the rest comes as one summary.
      </p>
      <MailSection mayWrite={mayWrite} />
      <WebhookSection mayWrite={mayWrite} />
      <NoticeLog />
    </ProjectSettingsPage>
  )
}

function MailSection({ mayWrite }: { readonly mayWrite: boolean }) {
  const { mail, quietHours, hoursRule, mailFrom, myEmail } = usePageData<typeof loadNotices>()
  const toast = useToast()
  return (
    <Section
      title="Mail and quiet hours"
      note={mailFrom === null ? 'This server sends no mail' : `From ${mailFrom}`}
    >
      {mailFrom === null ? (
        <p className="mb-4 max-w-160 text-13 text-ink-2">
          Its operator has set no mail server: <code>--smtp-url</code> and <code>--mail-from</code>. What is
          chosen here holds as soon as there is one.
        </p>
      ) : null}
      <ActionForm action="notices.save" onResult={() => toast({ text: 'Saved' })}>
        <fieldset disabled={!mayWrite} className="grid max-w-110 gap-4">
          <legend className="visually-hidden">Mail and quiet hours</legend>
          <FormRefusal />
          <Checkbox
            name="mail"
            label="Mail to members who read this project"
            showLabel
            defaultChecked={mail}
          />
          <FormText
            name="quietHours"
            label="Quiet hours of an issue"
            inputMode="numeric"
            initial={quietHours}
            hint={`An issue that was told of is not told of again for so long, by mail or webhook. ${hoursRule}`}
            required
          />
          {mayWrite ? (
            <div>
              <Submit>Save</Submit>
            </div>
          ) : null}
        </fieldset>
      </ActionForm>
      {mayWrite && mailFrom !== null ? (
        <NoticeTest channel="mail" note={`Goes to you, ${myEmail}, whatever is chosen above.`} />
      ) : null}
    </Section>
  )
}
