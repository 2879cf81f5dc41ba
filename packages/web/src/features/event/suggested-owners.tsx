/** Owners that the project's rules name for the shown event, each assigned by one press. */
import { useCan } from '#parts/frame-data.ts'
import { useIssueChange } from '#parts/use-issue-change.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { SideSection } from '#ui/section.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import type { IssueData } from './issue.server.ts'

export function SuggestedOwners({ data }: { readonly data: IssueData }) {
  const { owners, isCut } = data.owners
  const { issue } = data.view
  const canWrite = useCan('issue.write')
  const change = useIssueChange()
  if (owners.length === 0 && !isCut) return null
  const isAssigned = issue.assignee !== null || issue.assigneeTeam !== null
  return (
    <SideSection title="Code owners">
      <ul className="grid gap-2 text-13">
        {owners.map(({ owner, name, rule }) => (
          <li key={name} className="flex min-w-0 items-center gap-2">
            <Avatar name={name} />
            <span className="grid min-w-0 flex-1">
              <span className="foreign truncate">{name}</span>
              <code className="foreign truncate text-12 text-ink-3" title={rule}>
                {rule}
              </code>
            </span>
            {canWrite && !isAssigned ? (
              <ActionForm
                action="issue.change"
                hidden={{
                  refs: [issue.shortId],
                  change: typeof owner === 'object' ? `assign:team-${owner.team}` : `assign:${owner}`,
                }}
                onResult={change.tell}
              >
                <Button type="submit" size="small" className="touch">
                  Assign
                </Button>
              </ActionForm>
            ) : null}
          </li>
        ))}
      </ul>
      {isCut ? (
        <p className="mt-2 text-12 text-ink-3">
          Some ownership rules were skipped: they took too long for this event.
        </p>
      ) : null}
    </SideSection>
  )
}
