/** Comments, subscriptions and bookmarks. */

import { can } from '#access/access.ts'
import type { IssueId, UserId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { mentionedIn, teamsNamedIn } from '#issues/mentions.ts'
import { max } from '#limits/limits.ts'
import type { NewComment } from '#ports/issue-people.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import { changing, type IssueParts, type IssueSelection } from './issues.ts'
import type { CommandParts } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'

export interface IssuePeopleCommands {
  commentIssue(asking: Asking, comment: Comment): Promise<Result<null>>
  editComment(asking: Asking, comment: Comment & { readonly commentId: number }): Promise<Result<null>>
  /** Deletes one's own comment, or anybody's for people who may delete issues. */
  deleteComment(
    asking: Asking,
    comment: { readonly ref: string; readonly commentId: number },
  ): Promise<Result<null>>
  /** Subscribes the person who asks; each returns the issues that it named. */
  subscribeToIssues(
    asking: Asking,
    asked: { readonly selection: IssueSelection; readonly isSubscribed: boolean },
  ): Promise<Result<readonly IssueId[]>>
  bookmarkIssues(
    asking: Asking,
    asked: { readonly selection: IssueSelection; readonly isBookmarked: boolean },
  ): Promise<Result<readonly IssueId[]>>
}

interface Comment {
  readonly ref: string
  readonly text: string
  /** Beside those that the text names. */
  readonly mentions?: readonly UserId[]
}

/** Channels of teams are told too, where anything is sent. */
type Parts = IssueParts & Pick<CommandParts, 'alerts' | 'channelTestLimits'>

export function issuePeopleCommands(parts: Parts): IssuePeopleCommands {
  const { issuesWrite } = parts
  return {
    commentIssue: async (asking, given) => {
      const done = await commenting(parts, asking, given, (change, comment) =>
        issuesWrite.comment(change, comment, actorOf(parts, asking)),
      )
      if (done.ok) await tellTeamChannels(parts, asking, given)
      return done
    },
    editComment: (asking, given) =>
      commenting(parts, asking, given, (change, comment) => {
        const named = { ...change, commentId: given.commentId }
        return issuesWrite.editComment(named, comment, actorOf(parts, asking))
      }),
    deleteComment: async (asking, { ref, commentId }) => {
      const isAnyones = can(asking.viewer, asking.scope, 'issue.delete')
      const what = { selection: { refs: [ref] }, permission: 'issue.write' } as const
      const done = await changing(parts, asking, what, (change) =>
        issuesWrite.deleteComment({ ...change, commentId }, { isAnyones }, actorOf(parts, asking)),
      )
      return done.ok ? ok(null) : done
    },
    subscribeToIssues: (asking, { selection, isSubscribed }) =>
      marking(parts, asking, selection, (user, change) =>
        issuesWrite.subscribe(change, { user, isSubscribed }),
      ),
    bookmarkIssues: (asking, { selection, isBookmarked }) =>
      marking(parts, asking, selection, (user, change) =>
        issuesWrite.bookmark(change, { user, isBookmarked }),
      ),
  }
}

type Change = Parameters<IssueParts['issuesWrite']['comment']>[0]

async function commenting(
  parts: IssueParts,
  asking: Asking,
  { ref, text, mentions = [] }: Comment,
  run: (change: Change, comment: NewComment) => Promise<Result<readonly IssueId[]>>,
): Promise<Result<null>> {
  const checked = read(SCHEMAS.comment, { text })
  if (!checked.ok) return refusalOf(asking, 'issue.write') ?? checked
  const what = { selection: { refs: [ref] }, permission: 'issue.write' } as const
  const done = await changing(parts, asking, what, async (change, found) => {
    const [people, teams] = await Promise.all([
      parts.accounts.members(asking.scope),
      parts.accounts.teams(asking.scope),
    ])
    const named = new Set([...mentions, ...mentionedIn(checked.value.text, { people, teams })])
    const open = await Promise.all([...named].map((user) => canRead(parts, asking, { user, found })))
    const readers = [...named].filter((_, index) => open[index] === true)
    return run(change, { text: checked.value.text, mentions: readers })
  })
  return done.ok ? ok(null) : done
}

/** Sends the issue, with the comment, to the channels of the teams that it names. */
async function tellTeamChannels(parts: Parts, asking: Asking, { ref, text }: Comment): Promise<void> {
  const { alerts } = parts
  const { scope } = asking
  const slugs = teamsNamedIn(text)
  if (alerts === undefined || slugs.length === 0) return
  const [issue] = await parts.issues.issuesByRefs(scope, [ref])
  const teams = (await parts.accounts.teams(scope)).filter(({ slug }) => slugs.includes(slug.toLowerCase()))
  // Nobody is told of what they may not read: a channel is its team's.
  const named = teams.filter(({ projects }) => issue !== undefined && projects.includes(issue.projectId))
  const channels = new Set(named.flatMap(({ channelId }) => channelId ?? []))
  if (issue === undefined) return
  for (const channelId of channels) {
    const by = `issues sent by ${asking.viewer.user?.id ?? scope.orgId}`
    if (!parts.channelTestLimits.attempt(null, by).ok) return
    const chosen = { orgId: scope.orgId, projects: scope.projects, ids: [issue.id] }
    const sent = {
      issue: chosen,
      channelId,
      note: text.trim().slice(0, max('reasonCharsMax')),
      isOfComment: true,
    }
    await alerts.messages.queue.sendIssue(sent, actorOf(parts, asking))
  }
  if (channels.size > 0) alerts.wake()
}

/** Nobody is told of what they may not read. */
async function canRead(
  { accounts }: IssueParts,
  { scope }: Asking,
  { user, found }: { readonly user: UserId; readonly found: readonly { readonly projectId: number }[] },
): Promise<boolean> {
  const memberships = await accounts.memberships(user)
  const own = memberships.find(({ organisation }) => organisation.id === scope.orgId)
  return found.every(({ projectId }) => own?.projects.some((id) => id === projectId) === true)
}

function marking(
  parts: IssueParts,
  asking: Asking,
  selection: IssueSelection,
  run: (user: UserId, change: Change) => Promise<Result<readonly IssueId[]>>,
): Promise<Result<readonly IssueId[]>> {
  return changing(parts, asking, { selection, permission: 'issue.read' }, async (change) => {
    const user = asking.scope.userId
    if (user === undefined)
      return refuse('bad_request', 'An organisation token isn’t a person. Use a personal token.')
    return run(user, change)
  })
}
