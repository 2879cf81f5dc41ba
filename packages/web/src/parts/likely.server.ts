/** Likely assignees of an issue, by the event that its page opens with. */
import type { OrgContext } from '#wire/types.ts'
import { type LikelyAssignee, likelyAssignees } from './likely-assignees.ts'

type Viewed = NonNullable<Awaited<ReturnType<OrgContext['engine']['queries']['issue']>>>

/** Nobody where no event is kept. */
export async function likelyFor(
  { engine, scope }: OrgContext,
  { issue, activity, project, members }: Viewed,
): Promise<readonly LikelyAssignee[]> {
  const { queries } = engine
  const event = await queries.issueEvent(scope, issue.shortId, 'recommended')
  if (event === null) return []
  const [{ suspects }, { owners }] = await Promise.all([
    queries.suspectCommits(scope, { issue, activity, event: event.event }),
    queries.ownersOfEvent(scope, project, event.event),
  ])
  return likelyAssignees({ suspects, owners, members })
}
