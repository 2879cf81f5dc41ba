/** Names and texts of issues: short ids, text for search, today's substatus. */
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { Issue, IssueSubstatus } from '#ports/issues.ts'

/**
 * `SHOP-12`. The slug is the project's of today: renaming it renames its issues. What waits for a server's half has no
 * number of its project yet (its id below zero) and is named by its id, which leads to whatever becomes of it.
 */
export function shortId(slug: string, number: number): string {
  return number < 0 ? String(-number) : `${slug.toUpperCase()}-${number}`
}

const SHORT_ID = /^(.{1,60})-(\d{1,15})$/s

/** Reads an issue from a link: its id, or a short id in any case. `null` for neither. */
export function readIssueRef(
  ref: string,
): { readonly id: number } | { readonly slug: string; readonly number: number } | null {
  if (/^\d{1,15}$/.test(ref)) return { id: Number(ref) }
  const match = SHORT_ID.exec(ref)
  return match === null ? null : { slug: (match[1] ?? '').toLowerCase(), number: Number(match[2]) }
}

/** Issues first seen before it are not new any more. */
export function newSince(nowMs: number): number {
  return nowMs - max('issueNewDays') * DAY_MS
}

/** Returns the substatus to show: `new` is stored for ever, and becomes ongoing after some days. */
export function substatusOf(
  { substatus, firstSeenMs }: Pick<Issue, 'substatus' | 'firstSeenMs'>,
  newSinceMs: number,
): IssueSubstatus {
  return substatus === 'new' && firstSeenMs < newSinceMs ? 'ongoing' : substatus
}

/** Substatuses of issues for review: unresolved, and not looked at since they began or came back. */
export const FOR_REVIEW: readonly NonNullable<IssueSubstatus>[] = ['new', 'regressed', 'escalating']

/** Users still to come until it comes back; never none, for it would be back. */
export function archivedUsersLeft(usersAt: number | null, userCount: number): number | null {
  return usersAt === null ? null : Math.max(1, usersAt - userCount)
}

/**
 * Returns the text that free text is compared with: titles and culprits of one issue, folded. `\n` keeps the
 * two apart.
 */
export function foldedIssueText({
  title,
  culprit,
}: {
  readonly title: string
  readonly culprit: string
}): string {
  return `${foldText(title)}\n${foldText(culprit)}`
}

/** Databases fold ASCII alone, and some end a text at NUL. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('\u0000', ' ')
}
