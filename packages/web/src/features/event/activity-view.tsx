import { useCan } from '#parts/frame-data.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { TextArea } from '#ui/field.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { ActivityLine } from './activity-line.tsx'
import { EventIcon } from './event-icon.tsx'
import type { loadIssueActivity } from './issue.server.ts'
import { IssueShell } from './issue-shell.tsx'

/** Who did what when, newest first, and a field for a comment. */
export function ActivityPage() {
  const data = usePageData<typeof loadIssueActivity>()
  const entries = [...data.all].sort((a, b) => b.atMs - a.atMs || b.id - a.id)
  return (
    <IssueShell data={data} current="activity">
      <CommentForm issue={data.view.issue.shortId} />
      {entries.length === 0 ? (
        <Empty title="No activity yet">Changes and comments appear here.</Empty>
      ) : (
        <ol className="max-w-[80ch]">
          {entries.map((entry) => (
            <li key={entry.id} className="flex gap-3 border-b py-2.5 text-13">
              {entry.userId === null ? (
                <span className="inline-grid size-6 shrink-0 place-content-center text-ink-3">
                  <EventIcon name="pulse" size={14} />
                </span>
              ) : (
                <Avatar name={entry.actor} />
              )}
              <div className="min-w-0 flex-1 pt-0.5">
                <ActivityLine entry={entry} />
                {entry.kind === 'commented' && typeof entry.detail.text === 'string' ? (
                  <p className="foreign mt-1 whitespace-pre-wrap">{entry.detail.text}</p>
                ) : null}
              </div>
            </li>
          ))}
        </ol>
      )}
    </IssueShell>
  )
}

function CommentForm({ issue }: { readonly issue: string }) {
  const canWrite = useCan('issue.write')
  return (
    <ActionForm
      action="issue.comment"
      hidden={{ ref: issue }}
      resets
      className="grid max-w-[80ch] gap-2 py-4"
    >
      {({ pending, error, fields, values }) => (
        <>
          <TextArea
            label="Comment"
            name="text"
            rows={3}
            maxLength={8_192}
            disabled={!canWrite}
            defaultValue={typeof values.text === 'string' ? values.text : ''}
            errors={fields.text}
            hint="Everyone who can see the issue can read it."
          />
          <div className="flex items-center gap-3">
            <Button
              type="submit"
              className="touch"
              busy={pending}
              disabledReason={canWrite ? undefined : 'Your role can’t comment on issues'}
            >
              <EventIcon name="comment" size={14} /> Comment
            </Button>
            {error === null || fields.text !== undefined ? null : (
              <span role="alert" className="text-13 text-bad">
                {error.message}
              </span>
            )}
          </div>
        </>
      )}
    </ActionForm>
  )
}
