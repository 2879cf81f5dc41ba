import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { Seen } from '#parts/seen.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadAccountNotices } from './account.server.ts'
import { AccountPage } from './account-page.tsx'
import { OwnSignInNote } from './own-sign-in-note.tsx'

type Notices = Extract<Awaited<ReturnType<typeof loadAccountNotices>>, { readonly isForeign: false }>

export function AccountNoticesView() {
  const data = usePageData<typeof loadAccountNotices>()
  return (
    <AccountPage title="Alerts">
      {data.isForeign ? (
        <OwnSignInNote what="change what Errata tells you" />
      ) : (
        <>
          <NoticesForm {...data} />
          <InboxForm inbox={data.inbox} />
        </>
      )}
    </AccountPage>
  )
}

function NoticesForm({ mail, mailFrom, moments, email, seen }: Notices) {
  const toast = useToast()
  return (
    <>
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Errata emails <span className="foreign">{email}</span> when an issue in one of your projects is new or
        comes back, unless email alerts are off for the project; when an alert rule fires for you; and when
        someone mentions you or changes an issue you’re subscribed to.
        {mailFrom === null ? ' No mail server is configured, so no email is sent.' : ''}
      </p>
      <ActionForm
        action="account.notices"
        className="grid max-w-110 gap-4"
        onResult={() => toast({ text: 'Saved' })}
      >
        <FormRefusal />
        <Seen values={seen} />
        <Checkbox name="mail" label="Email me" showLabel defaultChecked={mail} />
        <fieldset className="grid gap-2 ps-6">
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
        <div>
          <Submit>Save</Submit>
        </div>
      </ActionForm>
    </>
  )
}

function InboxForm({ inbox }: Pick<Notices, 'inbox'>) {
  const toast = useToast()
  return (
    <section aria-labelledby="inbox-kinds" className="mt-8 border-t pt-6">
      <h2 id="inbox-kinds" className="mb-1 text-15 font-strong">
        Inbox
      </h2>
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        What comes to{' '}
        <PageLink className="link" to={paths.inbox()}>
          your inbox
        </PageLink>
        , with or without email.
      </p>
      <ActionForm
        action="account.inbox"
        className="grid max-w-110 gap-2"
        onResult={() => toast({ text: 'Saved' })}
      >
        <FormRefusal />
        {inbox.map(({ kind, isOn }) => (
          <Checkbox
            key={kind}
            name="kinds[]"
            value={kind}
            label={INBOX_LABELS[kind]}
            showLabel
            defaultChecked={isOn}
          />
        ))}
        <div className="mt-2">
          <Submit>Save</Submit>
        </div>
      </ActionForm>
    </section>
  )
}

const INBOX_LABELS = {
  mention: 'Mentions',
  assignment: 'Issues assigned to me or my team',
  regression: 'Issues I’m subscribed to that come back',
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
