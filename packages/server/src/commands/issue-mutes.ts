/** Issues that somebody mutes for themselves: nothing about them is told to this person, by whatever way. */
import { ok, refuse } from '#base/result.ts'
import { ISSUE_PEOPLE } from '#model/tables/issues.ts'
import { preparedCommand } from './command.ts'

export const muteIssue = preparedCommand({
  permission: 'issue.read',
  input: (given: { readonly ref: string; readonly isMuted: boolean }) => ok(given),
  prepare: async ({ issues }, { scope }, { ref, isMuted }) => {
    const [issue] = await issues.issuesByRefs(scope, [ref])
    return issue === undefined
      ? refuse('not_found', 'There is no such issue.')
      : ok({ issueId: issue.id, isMuted })
  },
  change: async (tx, { issueId, isMuted }, { scope: { userId } }) => {
    if (userId === undefined)
      return refuse('bad_request', 'An organisation token isn’t a person. Use a personal token.')
    const rows = tx.rows(ISSUE_PEOPLE)
    const before = await rows.one({ issueId, userId })
    await rows.merge([{ ...before, issueId, userId, isMuted }])
    return ok(null)
  },
})
