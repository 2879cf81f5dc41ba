import { paths } from '#parts/paths.ts'
import { SettingsForm } from '#parts/settings-form.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Section } from '#ui/section.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadAccountNotices } from './account.server.ts'
import { AccountPage } from './account-page.tsx'
import { MutedIssues } from './muted-issues.tsx'
import { OwnQuietHours } from './own-quiet-hours.tsx'
import { OwnSignInNote } from './own-sign-in-note.tsx'

type Notices = Extract<Awaited<ReturnType<typeof loadAccountNotices>>, { readonly isForeign: false }>

export function AccountNoticesView() {
  const data = usePageData<typeof loadAccountNotices>()
  return (
    <AccountPage title="Notifications">
      {data.isForeign ? <OwnSignInNote what="change your notifications" /> : <NoticesForm {...data} />}
    </AccountPage>
  )
}

function NoticesForm({ mail, mailFrom, moments, inbox, email, seen, ...rest }: Notices) {
  return (
    <>
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Errata tells you when an issue in one of your projects is new or regresses, when an alert rule fires
        for you, and when someone mentions you or changes an issue you’re subscribed to. A project can turn
        its emails off.
      </p>
      <SettingsForm action="account.notices" seen={seen} className="form-width pb-6">
        <Section title="Email" note={mailFrom === null ? 'No mail server is configured' : email}>
          <Checkbox name="mail" label="Email me" showLabel defaultChecked={mail} />
          <fieldset className="mt-3 grid gap-2 ps-6">
            <legend className="mb-1 text-13 text-ink-2">From alert rules</legend>
            <input type="hidden" name="asksMoments" value="on" />
            {moments.map(({ moment, isOn }) => (
              <Checkbox
                key={moment}
                name="moments[]"
                value={moment}
                label={MOMENT_LABELS[moment]}
                showLabel
                defaultChecked={isOn}
              />
            ))}
          </fieldset>
        </Section>
        <InboxKinds inbox={inbox} />
      </SettingsForm>
      <OwnQuietHours quiet={rest.quiet} zones={rest.zones} />
      <MutedIssues muted={rest.muted} />
    </>
  )
}

function InboxKinds({ inbox }: Pick<Notices, 'inbox'>) {
  return (
    <Section
      title="Inbox"
      note="With or without email"
      end={
        <PageLink className="link-alone" to={paths.inbox()}>
          Open inbox
        </PageLink>
      }
    >
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-13 text-ink-2">In your inbox</legend>
        <input type="hidden" name="asksInbox" value="on" />
        {inbox.map(({ kind, isOn }) => (
          <Checkbox
            key={kind}
            name="inbox[]"
            value={kind}
            label={INBOX_LABELS[kind]}
            showLabel
            defaultChecked={isOn}
          />
        ))}
      </fieldset>
    </Section>
  )
}

const INBOX_LABELS = {
  mention: 'Mentions',
  assignment: 'Issues assigned to me or my team',
  regression: 'Regressions of issues I’m subscribed to',
  activity: 'Comments and changes on issues I’m subscribed to',
  alert: 'Alerts for me',
  delivery: 'Messages that could not be delivered (owners and managers)',
} as const

const MOMENT_LABELS = {
  issue: 'Issues',
  warning: 'Metric warnings',
  critical: 'Critical metrics',
  resolved: 'Metrics back to OK',
} as const
