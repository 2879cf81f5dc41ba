/** Merging issues, taking that back, and parting what is no one failure. */
import type { GroupHash, IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import {
  whatFollowsKeepingApart,
  whatFollowsMerging,
  whatFollowsParting,
  whatFollowsUnmerging,
} from '#issues/follows/merging.ts'
import { isStillThere, mergingOf, oldestMergeMs, refuseGroups } from '#issues/issue-merging.ts'
import { refuseNoMirror } from '#issues/mirror-folding.ts'
import {
  partingOf,
  readGroups,
  refuseNoGroup,
  refuseNoTaker,
  refuseReason,
  refuseTaking,
} from '#issues/unmerging.ts'
import type { Tx } from '#ports/control.ts'
import type { ChosenIssue } from '#ports/issue-rows.ts'
import { type By, preparedCommand } from './command.ts'
import {
  chosenIssues,
  foundIssues,
  type IssueIds,
  type IssueSelection,
  type SelectionParts,
  selecting,
  wakeSenders,
} from './issue-selection.ts'

type Merging = { readonly selection: IssueSelection; readonly reason: string | null }
type Merge = IssueIds & { readonly into: IssueId; readonly reason: string | null }

/** The issue with the most events keeps its name and takes in the others; of equals the oldest. `reason` is kept in the activity. */
export const mergeIssues = preparedCommand({
  permission: 'issue.write',
  input: ({
    selection,
    reason = null,
  }: {
    readonly selection: IssueSelection
    readonly reason?: string | null
  }) => ok({ selection, reason }),
  prepare: async (parts: SelectionParts, asking, { selection, reason }: Merging): Promise<Result<Merge>> => {
    const found = await foundIssues(parts, asking, selection)
    if (!found.ok) return found
    if (found.value.length < 2) {
      return refuse('invalid_input', 'Merging takes at least two issues.', {
        merge: ['At least two issues.'],
      })
    }
    if (new Set(found.value.map(({ projectId }) => projectId)).size > 1) {
      const message = 'Only issues of one project can be merged.'
      return refuse('invalid_input', message, { merge: [message] })
    }
    const ids = found.value.map(({ id }) => id)
    const issues = await parts.issues.issuesByRefs(asking.scope, ids.map(String))
    const [into] = issues.toSorted(
      (a, b) => b.eventCount - a.eventCount || a.firstSeenMs - b.firstSeenMs || a.id - b.id,
    )
    if (into === undefined) return refuse('not_found', 'These issues no longer exist.')
    return ok({ ids, into: into.id, reason })
  },
  change: async (tx, { ids, into, reason }: Merge, by) => {
    const chosen = refuseReason(reason) ?? (await chosenIssues(tx, by, [...ids, into]))
    if (!chosen.ok) return chosen
    const merging = mergingOf(chosen.value, into)
    if (!merging.ok) return merging
    const { merged } = merging.value
    const from = merged.map(({ id }) => id)
    if (from.length > 0) {
      const refused = refuseGroups((await tx.issues.ownedGroups([into, ...from])).length)
      if (refused !== null) return refused
    }
    const before = await tx.issues.beforeMerge(from, into)
    if (from.length > 0) await tx.issues.takeIn(from, into)
    await tx.issues.keepMerge(into, before, by.actor)
    await tx.issues.save(whatFollowsMerging(into, { merged, reason }, by.actor))
    return ok({ into, merged: ids.filter((id) => id !== into) })
  },
  after: wakeSenders,
})

/** Takes back what the asking person merged last into the issues. Answers the issues that are back. */
export const undoMerges = preparedCommand({
  permission: 'issue.write',
  input: (selection: IssueSelection) => ok({ selection }),
  prepare: selecting<{ readonly selection: IssueSelection }>,
  change: async (tx, { ids }: IssueIds, by) => {
    const chosen = await chosenIssues(tx, by, ids)
    if (!chosen.ok) return chosen
    const back: IssueId[] = []
    for (const { id } of chosen.value) back.push(...(await undoMerge(tx, id, by)))
    return ok<readonly IssueId[]>(back)
  },
  after: wakeSenders,
})

/** Within `mergeUndoMs`, while its groups are still there; events since then count where they belong. */
async function undoMerge(tx: Tx, into: IssueId, { actor }: By): Promise<readonly IssueId[]> {
  const { userId, atMs } = actor
  const merged =
    userId === null ? null : await tx.issues.mergeOf(into, { userId, sinceMs: oldestMergeMs(atMs) })
  if (merged === null || !isStillThere(merged, await tx.issues.ownedGroups([into]))) return []
  await tx.issues.bringBack(into, merged)
  const ids = merged.issues.map(({ id }) => id)
  const back = new Map((await tx.issues.named(ids)).map((issue) => [issue.id, issue]))
  const changes = merged.issues.flatMap(({ id, groups }) => {
    const own = back.get(id)
    return own === undefined ? [] : [whatFollowsUnmerging(into, { own, groups: groups.length }, actor)]
  })
  await tx.issues.save(changes)
  return ids
}

type Parting = {
  readonly ref: string
  /** Their hashes, as they were named: read once the issue is known to be there. */
  readonly groups: readonly string[]
  readonly reason: string | null
  /** The issue that takes them, an id or short id; `null` and left out: a new one. */
  readonly into?: string | null
}
type Part = {
  readonly id: IssueId
  readonly groups: readonly GroupHash[]
  readonly reason: string | null
  readonly into: IssueId | null
}

/** Gives groups of an issue one issue of their own, or to another one; answers that. At least one group stays. */
export const unmergeIssue = preparedCommand({
  permission: 'issue.write',
  input: (parting: Parting) => ok(parting),
  prepare: async (
    parts: SelectionParts,
    asking,
    { ref, groups, reason, into: takerRef = null }: Parting,
  ): Promise<Result<Part>> => {
    const found = await foundIssues(parts, asking, { refs: [ref] })
    if (!found.ok) return found
    const [issue] = found.value
    if (issue === undefined) return refuseNoGroup()
    const named = readGroups(groups)
    if (!named.ok) return named
    const [taker] = takerRef === null ? [] : await parts.issues.issuesByRefs(asking.scope, [takerRef])
    if (takerRef !== null && taker === undefined) return refuseNoTaker()
    return ok({ id: issue.id, groups: named.value, reason, into: taker?.id ?? null })
  },
  change: async (tx, { id, groups, reason, into }: Part, by): Promise<Result<IssueId>> => {
    const both = into === null ? [id] : [id, into]
    const chosen = refuseReason(reason) ?? (await chosenIssues(tx, by, both))
    if (!chosen.ok) return chosen
    const from = chosen.value.find((issue) => issue.id === id)
    if (from === undefined) return refuseNoGroup()
    const owned = await tx.issues.ownedGroups(into === id ? [id] : both)
    const ofIssue = owned.filter(({ issueId }) => issueId === id)
    const parting = partingOf(ofIssue, { projectId: from.projectId, named: groups })
    if (!parting.ok) return parting
    if (into !== null) {
      const ownedAfter = owned.filter(({ issueId }) => issueId === into).length + parting.value.length
      const refused = refuseTaking(
        from,
        chosen.value.find((issue) => issue.id === into),
        ownedAfter,
      )
      if (refused !== null) return refused
    }
    const own = await tx.issues.part({ from, groups: parting.value, into, atMs: by.actor.atMs })
    const of = { groups: parting.value.length, reason }
    await tx.issues.save(whatFollowsParting(await findPair(tx, from.id, own), of, by.actor))
    return ok(own)
  },
  after: wakeSenders,
})

type Mirrors = {
  readonly id: IssueId
  /** `null`: all that may be read. */
  readonly groups: readonly { readonly projectId: ProjectId; readonly hash: GroupHash }[] | null
}

/** Splits browser copies off as another failure, for good. Returns the issues that it makes. */
export const keepMirrorsApart = preparedCommand({
  permission: 'issue.write',
  input: (mirrors: Omit<Mirrors, 'id'> & { readonly ref: string }) => ok(mirrors),
  prepare: async (
    parts: SelectionParts,
    asking,
    { ref, groups }: Omit<Mirrors, 'id'> & { readonly ref: string },
  ): Promise<Result<Mirrors>> => {
    const found = await foundIssues(parts, asking, { refs: [ref] })
    if (!found.ok) return found
    const [issue] = found.value
    return issue === undefined ? refuseNoMirror() : ok({ id: issue.id, groups })
  },
  change: async (tx, { id, groups }: Mirrors, by): Promise<Result<readonly IssueId[]>> => {
    const chosen = await chosenIssues(tx, by, [id])
    if (!chosen.ok) return chosen
    const [issue] = chosen.value
    const folded = issue === undefined ? [] : await foldedGroups(tx, { id, groups }, by)
    if (issue === undefined || folded.length === 0) return refuseNoMirror()
    const apart: IssueId[] = []
    for (const group of folded) {
      const own = await tx.issues.keepMirrorApart(group, by.actor)
      if (own === null) continue
      const [made] = await tx.issues.named([own])
      if (made !== undefined)
        await tx.issues.save(whatFollowsKeepingApart({ from: issue, own: made }, by.actor))
      apart.push(own)
    }
    return ok(apart)
  },
  after: wakeSenders,
})

/** Returns the named groups, of projects that may be read. */
async function foldedGroups(tx: Tx, { id, groups }: Mirrors, { scope }: By): Promise<readonly number[]> {
  const owned = await tx.issues.ownedGroups([id])
  return owned
    .filter(
      ({ projectId, hash, foldedInto }) =>
        foldedInto !== null &&
        scope.projects.includes(projectId) &&
        (groups === null || groups.some((group) => group.projectId === projectId && group.hash === hash)),
    )
    .map((group) => group.id)
}

async function findPair(
  tx: Tx,
  from: IssueId,
  own: IssueId,
): Promise<{ readonly from: ChosenIssue; readonly own: ChosenIssue }> {
  const issues = new Map((await tx.issues.named([from, own])).map((issue) => [issue.id, issue]))
  const [one, other] = [issues.get(from), issues.get(own)]
  if (one === undefined || other === undefined)
    throw new Error(`issues ${from} and ${own} are not both there`)
  return { from: one, own: other }
}
