import { FormText } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { SettingsForm } from '#parts/settings-form.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Section } from '#ui/section.tsx'
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
    <ProjectSettingsPage org={view.org} project={view.project} title="Alerts">
      {mayWrite ? null : <ReadOnlyNote />}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        When an issue is new or regresses, members of this project get an email. After {view.perMinuteMax}{' '}
        alerts in a minute or {view.perHourMax} in an hour, the rest arrive as one summary.
      </p>
      <MailSection mayWrite={mayWrite} />
      <WebhookSection mayWrite={mayWrite} />
      <NoticeLog />
    </ProjectSettingsPage>
  )
}

function MailSection({ mayWrite }: { readonly mayWrite: boolean }) {
  const { seen, mail, quietHours, hoursRule, mailFrom, myEmail } = usePageData<typeof loadNotices>()
  return (
    <Section title="Email" note={mailFrom === null ? 'No mail server is configured' : `From ${mailFrom}`}>
      {mailFrom === null ? (
        <p className="mb-4 max-w-160 text-13 text-ink-2">
          No emails are sent until the operator configures a mail server (<code>--smtp-url</code>,{' '}
          <code>--mail-from</code>). These settings apply as soon as there is one.
        </p>
      ) : null}
      <SettingsForm action="notices.save" seen={seen.notices} mayWrite={mayWrite} legend="Email">
        <Checkbox name="mail" label="Email members of this project" showLabel defaultChecked={mail} />
        <FormText
          name="quietHours"
          label="At most once per issue every"
          unit="hours"
          inputMode="numeric"
          initial={quietHours}
          hint={`After an alert, the same issue sends no other for this long. ${hoursRule}`}
          required
        />
      </SettingsForm>
      {mayWrite && mailFrom !== null ? (
        <NoticeTest channel="mail" note={`Sent to you, ${myEmail}, whatever the settings above.`} />
      ) : null}
    </Section>
  )
}
