/** Likely assignees of an issue: authors of suspect commits, then code owners. Pure. */
import type { SuspectCommit } from '@errata/server/queries'
import type { Choices } from './choices.ts'

export interface LikelyAssignee {
  /** Argument of the assignment; `null` for a person who is not a member and may be invited. */
  readonly assign: string | null
  readonly name: string
  readonly why: string
  /** Email of a person who is not a member. */
  readonly email: string | null
}

interface Known {
  readonly suspects: readonly SuspectCommit[]
  readonly owners: readonly {
    readonly owner: number | { readonly team: number }
    readonly name: string
  }[]
  /** People it may be assigned to. */
  readonly members: readonly { readonly userId: number }[]
}

const SHOWN_MAX = 5

/** Returns the offers of a menu that begins with the likely ones: none twice, and the assignee among the others, ticked. */
export function offersBeside(
  assignee: string | null,
  { likely, choices }: { readonly likely: readonly LikelyAssignee[]; readonly choices: Choices },
): { readonly likely: readonly LikelyAssignee[]; readonly choices: Choices } {
  const first = likely.filter(({ assign }) => assign === null || assign !== assignee)
  // What was typed is answered by all that match: the likely ones stand before an empty field alone.
  if (choices.find !== '') return { likely: first, choices }
  const named = new Set(first.map(({ assign }) => assign))
  const teams = choices.teams.filter(({ id }) => !named.has(`team-${id}`))
  const people = choices.people.filter(({ id }) => !named.has(String(id)))
  return { likely: first, choices: { ...choices, teams, people } }
}

export function likelyAssignees({ suspects, owners, members }: Known): readonly LikelyAssignee[] {
  const authors = suspects.flatMap(({ commit }): readonly LikelyAssignee[] => {
    const { member, authorName, authorEmail } = commit
    const why = 'suspect commit'
    if (member === null)
      return authorEmail === null
        ? []
        : [{ assign: null, name: authorName || authorEmail, why, email: authorEmail }]
    const isOpen = members.some(({ userId }) => userId === member.userId)
    if (!isOpen) return []
    return [{ assign: String(member.userId), name: member.name || member.email, why, email: null }]
  })
  const named = owners.map(({ owner, name }) => {
    const assign = typeof owner === 'object' ? `team-${owner.team}` : String(owner)
    return { assign, name, why: 'owner', email: null }
  })
  const each = new Map<string, LikelyAssignee>()
  for (const one of [...authors, ...named]) {
    const key = one.assign ?? one.email ?? ''
    if (!each.has(key)) each.set(key, one)
  }
  return [...each.values()].slice(0, SHOWN_MAX)
}
