/** Issues that share a digest with this one from the other side: a mirror's server failure, a server failure's mirrors. */
import type { Digest } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { DigestMatch, Issue, IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import { isMirror } from './digest-owners.ts'
import type { LinkedIssues } from './types.ts'

const LINKED_SHOWN = 3

export async function linkedIssues(
  issues: Pick<IssuesRead, 'digests' | 'issue'>,
  scope: ReadScope,
  { issue, digests }: { readonly issue: Issue; readonly digests: readonly Digest[] },
): Promise<LinkedIssues> {
  const asked = [...new Set(digests)].slice(0, max('digestsPerPasteMax'))
  if (asked.length === 0) return { shown: [], more: 0 }
  const others = otherSide(await issues.digests(scope, asked), issue)
  const newest = [...others].sort((a, b) => b.lastSeenMs - a.lastSeenMs)
  const byIssue = [...Map.groupBy(newest, ({ issueId }) => issueId)]
  const shown = await Promise.all(
    byIssue.slice(0, LINKED_SHOWN).map(async ([id, [match]]) => {
      const other = match === undefined ? null : await issues.issue(scope, String(id))
      if (match === undefined || other === null) return []
      const { digest, eventId } = match
      return [{ shortId: other.shortId, title: other.title, digest, eventId, isMirror: isMirror(match) }]
    }),
  )
  return { shown: shown.flat(), more: Math.max(0, byIssue.length - LINKED_SHOWN) }
}

/** Of each digest, what other issues have of the side that this one is not. */
function otherSide(matches: readonly DigestMatch[], issue: Issue): readonly DigestMatch[] {
  return [...Map.groupBy(matches, ({ digest }) => digest).values()].flatMap((same) => {
    const own = same.filter(({ issueId }) => issueId === issue.id)
    const isOwnMirror = own.every(isMirror)
    return same.filter((match) => match.issueId !== issue.id && isMirror(match) !== isOwnMirror)
  })
}
