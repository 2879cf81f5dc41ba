/** Taking groups out of an issue: which may go, what goes along, and what is left. */
import { type GroupHash, groupHash, type ProjectId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { ChosenIssue } from '#ports/issue-rows.ts'
import type { Activity } from '#ports/issues.ts'

interface OwnedGroup {
  readonly id: number
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly foldedInto: number | null
}

/**
 * Finds which groups leave an issue when some are taken out of it. `owned`: of the issue, in the order of their ids.
 * Answers the groups that go: the named ones, and their mirrors.
 */
export function partingOf(
  owned: readonly OwnedGroup[],
  { projectId, named }: { readonly projectId: ProjectId; readonly named: readonly GroupHash[] },
): Result<readonly number[]> {
  const wanted = new Set(named)
  const chosen = owned.filter((group) => group.projectId === projectId && wanted.has(group.hash))
  if (chosen.length === 0 || chosen.length < wanted.size) return refuseNoGroup()
  if (chosen.some(({ foldedInto }) => foldedInto !== null)) {
    const message = 'Use “Not the same failure” to split off a browser copy.'
    return refuse('invalid_input', message, { id: [message] })
  }
  const going = new Set(chosen.map(({ id }) => id))
  const stays = owned.some(({ id, foldedInto }) => foldedInto === null && !going.has(id))
  if (!stays) {
    const message = 'At least one group must stay in the issue.'
    return refuse('invalid_input', message, { id: [message] })
  }
  const goes = ({ id, foldedInto }: OwnedGroup) =>
    going.has(id) || (foldedInto !== null && going.has(foldedInto))
  return ok(owned.filter(goes).map(({ id }) => id))
}

/** The issue that is to take the groups; `ownedAfter`: how many it would own. */
export function refuseTaking(
  from: Pick<ChosenIssue, 'id' | 'projectId'>,
  into: Pick<ChosenIssue, 'id' | 'projectId'> | undefined,
  ownedAfter: number,
): Refusal | null {
  if (into === undefined) return refuseNoTaker()
  if (into.id === from.id) return refuseTaker('The groups are in this issue already.')
  if (into.projectId !== from.projectId)
    return refuseTaker('Only an issue of the same project can take them.')
  const most = max('groupsPerIssueMax')
  return ownedAfter > most ? refuseTaker(`An issue owns at most ${most} groups.`) : null
}

export function refuseNoTaker(): Refusal {
  return refuseTaker('There is no such issue to move them to.')
}

function refuseTaker(message: string): Refusal {
  return refuse('invalid_input', message, { into: [message] })
}

/** Reads hashes of groups, at least one. */
export function readGroups(ids: readonly string[]): Result<readonly GroupHash[]> {
  const most = max('groupsPerIssueMax')
  const isHash = (id: string) => /^[0-9a-f]{32}$/.test(id)
  if (ids.length === 0) return refuseChosenGroups('Name at least one group.')
  if (ids.length > most) return refuseChosenGroups(`At most ${most} groups.`)
  if (!ids.every(isHash)) return refuseChosenGroups('The hash of a group: 32 digits of 0-9 and a-f.')
  return ok(ids.map(groupHash))
}

function refuseChosenGroups(rule: string): Refusal {
  return refuse('invalid_input', `id: ${rule}`, { id: [rule] })
}

export function refuseNoGroup(): Refusal {
  return refuse('not_found', 'This issue has no such group.')
}

/** Refuses a reason of too many characters. `null`: fine as it is. */
export function refuseReason(reason: string | null | undefined): Refusal | null {
  const most = max('reasonCharsMax')
  if (reason === null || reason === undefined || reason.length <= most) return null
  const message = `A reason has at most ${most} characters.`
  return refuse('invalid_input', message, { reason: [message] })
}

/** Nothing, where none was given. */
export function reasonDetail(reason: string | null | undefined): Activity['detail'] {
  const text = (reason ?? '').trim()
  return text === '' ? {} : { reason: text }
}

/** Returns the record for one issue about the other. */
export function partedDetail(
  { shortId, title }: Pick<ChosenIssue, 'shortId' | 'title'>,
  { groups, reason }: { readonly groups: number; readonly reason: string | null },
): Activity['detail'] {
  return { issue: shortId, title, count: groups, ...reasonDetail(reason) }
}
