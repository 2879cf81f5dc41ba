/** Resolve, archive, assign, delete: forms that work without JavaScript, with their keys when it is there. */

import { ArchiveMenu, AssignMenu } from '#parts/change-menus.tsx'
import { useCan } from '#parts/frame-data.ts'
import { assigneeText } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { useShortcuts } from '#parts/shortcuts.tsx'
import { useIssueChange } from '#parts/use-issue-change.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogCancel } from '#ui/dialog.tsx'
import { Icon } from '#ui/icons.tsx'
import { quantityText, shortNumberText } from '#ui/number-text.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { useNavigate } from '#wire/router.ts'
import type { IssueData, IssueShared } from './issue.server.ts'
import { PriorityMenu, ResolveMenu } from './issue-menus.tsx'
import { LikelyItems } from './likely-items.tsx'
import { MoreMenu } from './more-menu.tsx'
import { eventPaths } from './paths.ts'

/** Data of an event's page that controls need. */
type MoreKnown = Pick<IssueData, 'latestRelease' | 'likely'>

const ARCHIVE_ID = 'issue-archive'
const DELETE_ID = 'issue-delete'

export function IssueControls({ data }: { readonly data: IssueShared & Partial<MoreKnown> }) {
  const { issue } = data.view
  const canWrite = useCan('issue.write')
  const canDelete = useCan('issue.delete')
  const change = useIssueChange()
  const navigate = useNavigate()
  const isOpen = issue.status === 'unresolved'
  const main = isOpen ? 'resolve' : 'unresolve'
  useShortcuts(
    canWrite
      ? [
          {
            keys: 'e',
            label: isOpen ? 'Resolve' : 'Unresolve',
            run: () => void (change.pending || change.run([issue.shortId], main)),
          },
          { keys: 'a', label: 'Archive', run: () => document.getElementById(ARCHIVE_ID)?.click() },
          {
            keys: 's',
            label: 'Send to…',
            run: () => void navigate(eventPaths.issueSend(data.org, issue.shortId)),
          },
        ]
      : [],
  )
  const mayInvite = useCan('member.write')
  const other = eventPaths.issueChange(data.org, issue.shortId)
  const more = { latestRelease: null, likely: [], ...data }
  const readOnly = canWrite ? undefined : 'Your role can’t change issues'
  return (
    <>
      <ActionForm
        action="issue.change"
        hidden={{ refs: [issue.shortId] }}
        onResult={change.tell}
        className="flex flex-wrap gap-2 max-phone:contents"
      >
        {({ pending, error }) => (
          <>
            <span className="split max-phone:flex-1">
              <Button
                type="submit"
                name="change"
                value={main}
                variant={isOpen ? 'primary' : 'plain'}
                shortcut="e"
                busy={pending || change.pending}
                disabledReason={readOnly}
                className="touch max-phone:flex-1"
              >
                <Icon name={isOpen ? 'check' : 'archive'} size={14} />
                {isOpen ? 'Resolve' : issue.status === 'resolved' ? 'Unresolve' : 'Unarchive'}
              </Button>
              {canWrite && isOpen ? (
                <ResolveMenu className="btn btn-primary touch" latest={more.latestRelease} other={other} />
              ) : null}
            </span>
            {canWrite ? (
              <>
                {issue.status === 'archived' ? null : (
                  <ArchiveMenu
                    className="btn touch max-phone:flex-1"
                    buttonId={ARCHIVE_ID}
                    other={`${other}#archive`}
                  />
                )}
                <PriorityMenu className="btn touch max-phone:flex-1" issue={issue} />
                <AssignMenu
                  className="btn touch max-phone:flex-1"
                  org={data.org}
                  choices={data.assignees}
                  project={data.view.project.slug}
                  current={issue.assignee}
                  currentTeam={issue.assigneeTeam?.teamId ?? null}
                  label={assigneeText(issue)}
                  first={
                    <LikelyItems
                      likely={more.likely}
                      invite={mayInvite ? (email) => paths.members(data.org, { invite: email }) : null}
                    />
                  }
                />
              </>
            ) : null}
            {error === null ? null : (
              <p role="alert" className="basis-full text-end text-13 text-bad">
                {error.message}
              </p>
            )}
          </>
        )}
      </ActionForm>
      <MoreMenu data={data} deletion={canDelete ? DELETE_ID : null} />
      {canDelete ? <DeleteDialog data={data} /> : null}
    </>
  )
}

function DeleteDialog({ data }: { readonly data: IssueShared }) {
  const { issue, digests } = data.view
  const parts = [
    quantityText(issue.eventCount, 'event'),
    ...(digests.length === 0 ? [] : [quantityText(digests.length, 'digest')]),
    ...(issue.commentCount === 0 ? [] : [quantityText(issue.commentCount, 'comment')]),
  ]
  return (
    <Dialog id={DELETE_ID} title={`Delete ${issue.shortId}?`}>
      <p className="text-13 text-ink-2">
        This deletes {parts.join(', ')} and the issue’s activity. It can’t be undone. If the error happens
        again, it creates a new issue.
      </p>
      <ActionForm
        action="issue.delete"
        hidden={{ refs: [issue.shortId], to: 'list' }}
        className="mt-5 flex justify-end gap-2"
      >
        {({ pending, error }) => (
          <>
            {error === null ? null : (
              <span role="alert" className="me-auto text-13 text-bad">
                {error.message}
              </span>
            )}
            <DialogCancel dialog={DELETE_ID}>Cancel</DialogCancel>
            <Button type="submit" variant="danger" busy={pending}>
              Delete {shortNumberText(issue.eventCount)} {issue.eventCount === 1 ? 'event' : 'events'}
            </Button>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
