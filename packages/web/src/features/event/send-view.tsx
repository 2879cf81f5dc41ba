/** *Send to…*: tells a channel of an issue. */
import { DocsButton } from '#parts/docs-link.tsx'
import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadSendIssue } from './send.server.ts'

export function SendIssuePage() {
  const { org, issue, channels, mayAdd, noteCharsMax } = usePageData<typeof loadSendIssue>()
  const { shortId, title } = issue
  return (
    <Page>
      <PageHead
        title={`Send ${shortId} to…`}
        crumbs={[
          { text: 'Issues', path: paths.issues(org) },
          { text: shortId, path: paths.issue(org, shortId) },
          { text: 'Send to…' },
        ]}
        end={<DocsButton about="Send to…" />}
      >
        <span className="foreign">{title}</span>
      </PageHead>
      {channels.length === 0 ? (
        <Empty
          title="No channels yet"
          next={
            mayAdd ? (
              <PageLink className={buttonClass('primary')} to={paths.newAlertChannel(org)}>
                Add a channel
              </PageLink>
            ) : null
          }
        >
          Issues are sent to the channels of your organisation, such as Slack, Teams or a webhook.
        </Empty>
      ) : (
        <ActionForm action="issue.send" hidden={{ ref: shortId }} className="grid max-w-120 gap-4">
          <FormRefusal />
          <FormSelect name="channel" label="Channel">
            {channels.map(({ id, name, service }) => (
              <option key={id} value={id}>
                {`${service} · ${name}`}
              </option>
            ))}
          </FormSelect>
          <FormText name="note" label="Note" hint="Optional" maxLength={noteCharsMax} />
          <div className="flex flex-wrap gap-2">
            <Submit>Send</Submit>
            <PageLink className={buttonClass('quiet')} to={paths.issue(org, shortId)}>
              Cancel
            </PageLink>
          </div>
        </ActionForm>
      )}
    </Page>
  )
}
