import { useState } from 'react'
import { useCan, useFrame } from '#parts/frame-data.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Time } from '#ui/time.tsx'
import { ActionForm, type ActionFormState } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { ActivityLine } from './activity-line.tsx'
import { CommentField } from './comment-field.tsx'
import { EventIcon } from './event-icon.tsx'
import type { IssueShared, loadIssueActivity } from './issue.server.ts'
import { IssueShell } from './issue-shell.tsx'

type Entry = Awaited<ReturnType<typeof loadIssueActivity>>['all'][number]

/** Page of an issue's activity, newest first, with a field for a comment. */
export function ActivityPage() {
  const data = usePageData<typeof loadIssueActivity>()
  const entries = [...data.all].sort((a, b) => b.atMs - a.atMs || b.id - a.id)
  return (
    <IssueShell data={data} current="activity">
      <CommentForm data={data} />
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
                {entry.kind === 'commented' ? <Comment data={data} entry={entry} /> : null}
              </div>
            </li>
          ))}
        </ol>
      )}
    </IssueShell>
  )
}

function Comment({ data, entry }: { readonly data: IssueShared; readonly entry: Entry }) {
  const [isEditing, setIsEditing] = useState(false)
  const { viewer } = useFrame()
  const [canWrite, canDelete] = [useCan('issue.write'), useCan('issue.delete')]
  const isOwn = viewer !== null && entry.userId === viewer.id
  const text = typeof entry.detail.text === 'string' ? entry.detail.text : ''
  if (isEditing) return <EditForm data={data} entry={entry} text={text} onEnd={() => setIsEditing(false)} />
  return (
    <>
      {entry.editedMs === null ? null : (
        <span className="text-12 text-ink-3">
          , edited <Time ms={entry.editedMs} />
        </span>
      )}
      <p className="foreign mt-1 whitespace-pre-wrap">{text}</p>
      {canWrite && (isOwn || canDelete) ? (
        <div className="mt-1 flex gap-3 text-12">
          {isOwn ? (
            <button type="button" className="link-alone touch" onClick={() => setIsEditing(true)}>
              Edit
            </button>
          ) : null}
          <ActionForm
            action="issue.comment.delete"
            hidden={{ ref: data.view.issue.shortId, comment: entry.id }}
          >
            <button type="submit" className="link-alone touch">
              Delete
            </button>
          </ActionForm>
        </div>
      ) : null}
    </>
  )
}

function EditForm(props: {
  readonly data: IssueShared
  readonly entry: Entry
  readonly text: string
  readonly onEnd: () => void
}) {
  const { data, entry } = props
  return (
    <ActionForm
      action="issue.comment.edit"
      hidden={{ ref: data.view.issue.shortId, comment: entry.id }}
      onResult={props.onEnd}
      className="mt-1 grid gap-2"
    >
      {(form) => (
        <>
          <CommentField
            data={data}
            label="Comment"
            defaultValue={props.text}
            disabled={false}
            errors={form.fields.text}
            autoFocus
          />
          <div className="flex items-center gap-3">
            <Button type="submit" className="touch" busy={form.pending}>
              Save
            </Button>
            <Button variant="quiet" className="touch" onClick={props.onEnd}>
              Cancel
            </Button>
            <Refusal form={form} />
          </div>
        </>
      )}
    </ActionForm>
  )
}

const MAILED = '@name emails a person, #team everyone in it.'
const UNMAILED = '@name subscribes a person, #team everyone in it; this server sends no email.'

function CommentForm({ data }: { readonly data: IssueShared & { readonly sendsMail: boolean } }) {
  const canWrite = useCan('issue.write')
  return (
    <ActionForm
      action="issue.comment"
      hidden={{ ref: data.view.issue.shortId }}
      resets
      className="grid max-w-[80ch] gap-2 py-4"
    >
      {(form) => (
        <>
          <CommentField
            data={data}
            label="Comment"
            disabled={!canWrite}
            defaultValue={typeof form.values.text === 'string' ? form.values.text : ''}
            errors={form.fields.text}
            hint={`Everyone who can see the issue can read it. ${data.sendsMail ? MAILED : UNMAILED}`}
          />
          <div className="flex items-center gap-3">
            <Button
              type="submit"
              className="touch"
              busy={form.pending}
              disabledReason={canWrite ? undefined : 'Your role can’t comment on issues'}
            >
              <EventIcon name="comment" size={14} /> Comment
            </Button>
            <Refusal form={form} />
          </div>
        </>
      )}
    </ActionForm>
  )
}

function Refusal({ form: { error, fields } }: { readonly form: ActionFormState }) {
  if (error === null || fields.text !== undefined) return null
  return (
    <span role="alert" className="text-13 text-bad">
      {error.message}
    </span>
  )
}
