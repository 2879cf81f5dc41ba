/** Commits that touched a file of the stack, each with its author as assignee at one press. */
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { commitText, versionOf } from '#parts/release-text.ts'
import { useIssueChange } from '#parts/use-issue-change.ts'
import { Button } from '#ui/button.tsx'
import { SideSection } from '#ui/section.tsx'
import { Time, useZone } from '#ui/time.tsx'
import { beforeText, exactText, isoText } from '#ui/time-text.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueData } from './issue.server.ts'

type Suspect = IssueData['suspects']['suspects'][number]

export function SuspectCommits({ data }: { readonly data: IssueData }) {
  const { suspects, isCut } = data.suspects
  if (suspects.length === 0 && !isCut) return null
  return (
    <SideSection title={suspects.length === 1 ? 'Suspect commit' : 'Suspect commits'}>
      <ul className="space-y-3 text-13">
        {suspects.map((suspect) => (
          <li key={suspect.commit.id}>
            <SuspectLines data={data} suspect={suspect} />
          </li>
        ))}
      </ul>
      {isCut ? (
        <p className="mt-2 text-12 text-ink-3">
          Some commits were skipped: the release changes too many files.
        </p>
      ) : null}
    </SideSection>
  )
}

function SuspectLines({ data, suspect }: { readonly data: IssueData; readonly suspect: Suspect }) {
  const { commit, path } = suspect
  const { member } = commit
  const { issue } = data.view
  const canAssign =
    useCan('issue.write') &&
    member !== null &&
    member.userId !== issue.assignee?.userId &&
    data.assignableAuthors.includes(member.userId)
  const author = member?.name || member?.email || commit.authorName || commit.authorEmail || 'unknown author'
  return (
    <>
      <div>
        <code className="text-ink-2">{commitText(commit.id)}</code>{' '}
        <span className="foreign">{commit.message?.split('\n', 1)[0] ?? ''}</span>
      </div>
      <div className="text-12 text-ink-2">
        <span className="foreign">{author}</span> touched{' '}
        <code className="foreign">{path.split('/').at(-1)}</code>
        {commit.atMs === null ? null : <When atMs={commit.atMs} firstSeenMs={issue.firstSeenMs} />}
        {', in '}
        <PageLink
          to={paths.release(data.org, commit.release)}
          className="foreign link link-text"
          title={commit.release}
        >
          {versionOf(commit.release)}
        </PageLink>
      </div>
      {canAssign ? <AssignAuthor issue={issue.shortId} userId={member.userId} name={author} /> : null}
    </>
  )
}

/** Beside when the issue began, where it came before that: what a commit has to do with it. */
function When({ atMs, firstSeenMs }: { readonly atMs: number; readonly firstSeenMs: number }) {
  const zone = useZone()
  if (atMs > firstSeenMs)
    return (
      <>
        , <Time ms={atMs} />
      </>
    )
  return (
    <time dateTime={isoText(atMs)} title={exactText(atMs, zone)}>
      {` ${beforeText(firstSeenMs - atMs)} first seen`}
    </time>
  )
}

function AssignAuthor(props: { readonly issue: string; readonly userId: number; readonly name: string }) {
  const change = useIssueChange()
  return (
    <ActionForm
      action="issue.change"
      hidden={{ refs: [props.issue] }}
      onResult={change.tell}
      className="mt-1"
    >
      {({ pending }) => (
        <Button type="submit" name="change" value={`assign:${props.userId}`} busy={pending} className="touch">
          Assign {props.name}
        </Button>
      )}
    </ActionForm>
  )
}
