/** Tools that change an issue. The command behind each checks the permission again, and writes who did it. */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'
import { badField, grantedOrThrow } from '../api/refusals.ts'
import { ISSUE_ARGUMENT, textArgument, wholeArgument } from './arguments.ts'
import { defineTool, type ToolCall } from './tool.ts'

const COUNT_MAX = 1_000_000

export const resolveIssue = defineTool({
  name: 'resolve_issue',
  description: 'Marks an issue as resolved. It regresses if the error happens again.',
  input: v.strictObject({
    issue: ISSUE_ARGUMENT,
    in: v.optional(
      textArgument('now (the default), next_release, or the name of the release that has the fix.', 250),
      'now',
    ),
  }),
  about: ({ issue }) => issue,
  async run(call, { issue, in: within }) {
    const how =
      within === 'now'
        ? null
        : within === 'next_release'
          ? ({ how: 'next' } as const)
          : ({ how: 'release', release: within } as const)
    grantedOrThrow(
      await call.commands.run('resolveIssues', call, { selection: { refs: [issue] }, within: how }),
    )
    return `${issue} is resolved.`
  },
})

export const archiveIssue = defineTool({
  name: 'archive_issue',
  description:
    'Archives an issue: for good, or until a number of further events, affected users or minutes, whichever is reached first.',
  input: v.strictObject({
    issue: ISSUE_ARGUMENT,
    until_events: v.optional(wholeArgument('So many more events.', { least: 1, most: COUNT_MAX })),
    until_users: v.optional(wholeArgument('So many more affected users.', { least: 1, most: COUNT_MAX })),
    for_minutes: v.optional(
      wholeArgument('So many minutes.', { least: 1, most: max('archivedDaysMax') * 1_440 }),
    ),
  }),
  about: ({ issue }) => issue,
  async run(call, { issue, until_events = null, until_users = null, for_minutes = null }) {
    const until = { eventsMore: until_events, usersMore: until_users, minutes: for_minutes }
    grantedOrThrow(await call.commands.run('archiveIssues', call, { selection: { refs: [issue] }, until }))
    return `${issue} is archived.`
  },
})

export const assignIssue = defineTool({
  name: 'assign_issue',
  description: 'Assigns an issue to a member, or removes the assignee.',
  input: v.strictObject({
    issue: ISSUE_ARGUMENT,
    assignee: textArgument('Email of a member; empty for nobody.', 250),
  }),
  about: ({ issue, assignee }) => `${issue}, ${assignee === '' ? 'nobody' : assignee}`,
  async run(call, { issue, assignee }) {
    const member = assignee.trim() === '' ? null : await findMemberByEmail(call, assignee)
    const selection = { refs: [issue] }
    grantedOrThrow(
      await call.commands.run('assignIssues', call, { selection, assignee: member?.userId ?? null }),
    )
    return member === null ? `${issue} has no assignee.` : `${issue} is assigned to ${member.email}.`
  },
})

export const commentIssueTool = defineTool({
  name: 'comment_issue',
  description: 'Adds a comment that the members of the organisation can read, signed with the token’s name.',
  input: v.strictObject({
    issue: ISSUE_ARGUMENT,
    text: textArgument('What to say.', max('commentCharsMax')),
  }),
  about: ({ issue }) => issue,
  async run(call, { issue, text: said }) {
    grantedOrThrow(await call.commands.run('commentIssue', call, { ref: issue, text: said }))
    return `The comment is on ${issue}.`
  },
})

async function findMemberByEmail({ queries, scope }: ToolCall, email: string) {
  const wanted = email.trim().toLowerCase()
  const member = (await queries.members(scope)).find((each) => each.email.toLowerCase() === wanted)
  if (member === undefined) throw badField('assignee', 'No member has this email.')
  return member
}
