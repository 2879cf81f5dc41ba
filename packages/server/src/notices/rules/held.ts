/** Lines of a person's email after quiet hours that a project's notices become. */
import type { Notice } from '#ports/notices.ts'

const WHAT = { new: 'is new', regressed: 'regressed', unarchived: 'is unarchived' } as const

/** Returns what a notice says in one line: "SHOP-1 regressed: TypeError", "Shop: 12 more issues". */
export function heldHeadline({ kind, issue, rest, project }: Notice): string {
  if (issue !== null && kind !== 'summary' && kind !== 'test')
    return `${issue.shortId} ${WHAT[kind]}: ${issue.title}`
  const more = rest === null ? 0 : rest.newIssues + rest.returnedIssues + rest.echoIssues
  return `${project.name}: ${more} more ${more === 1 ? 'issue' : 'issues'}`
}
