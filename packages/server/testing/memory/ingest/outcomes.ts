/** What became of items: counted with a batch, shown to people and to the operator. */
import { type KeyId, type ProjectId, seq } from '#base/ids.ts'
import {
  addToSum,
  isChosenByClients,
  mayKeepPlace,
  minuteSums,
  type OutcomePlace,
  type OutcomeSum,
  otherPlace,
  outcomeSums,
} from '#issues/batch-outcomes.ts'
import { bucketOf, bucketStarts, dimensionsOf, outcomeGroups } from '#issues/outcome-buckets.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { OutcomeExample, OutcomeQuery, OutcomesRead, SystemRead } from '#ports/ingest.ts'
import type { ReadScope } from '#ports/scope.ts'
import { ascending, descending, inOrder } from '../order.ts'
import { sumOver } from '../rows/issue-view.ts'
import { readableProjects } from '../rows/readable.ts'
import type { Tables } from '../tables.ts'

export function writeOutcomes(to: Tables, outcomes: readonly CountedOutcome[]): void {
  for (const sum of outcomeSums(outcomes)) {
    const placed = hasPlace(to, sum) ? sum : otherPlace(sum)
    const key = placeKey(placed)
    to.outcomes.put(key, withSum(to.outcomes.get(key), placed))
  }
  for (const sum of minuteSums(outcomes)) {
    const key = `${sum.minuteMs}:${sum.outcome}`
    const quantity = sum.quantity + (to.outcomeMinutes.get(key)?.quantity ?? 0)
    to.outcomeMinutes.put(key, { ...sum, quantity })
  }
}

function withSum(before: OutcomeSum | undefined, added: OutcomeSum): OutcomeSum {
  if (before === undefined) return added
  const sum = { ...before }
  addToSum(sum, added)
  return sum
}

function hasPlace(of: Tables, sum: OutcomeSum): boolean {
  if (!isChosenByClients(sum) || of.outcomes.has(placeKey(sum))) return true
  const { projectId, bucketMs, outcome } = sum
  const beside = of.outcomes.where((other) => {
    return other.projectId === projectId && other.bucketMs === bucketMs && other.outcome === outcome
  })
  return mayKeepPlace(beside.length)
}

function placeKey({ projectId, keyId, bucketMs, outcome, reason, category }: OutcomePlace): string {
  return JSON.stringify([projectId, keyId, bucketMs, outcome, reason, category])
}

export function outcomesRead(of: Tables): OutcomesRead {
  return {
    outcomes: async (scope, query) => {
      const buckets = bucketStarts(query)
      const [first = 0] = buckets
      const parts = matching(of, scope, query).map(({ projectId, keyId, ...sum }) => ({
        ...sum,
        project: projectId as ProjectId, // of a readable project
        key: keyId as KeyId, // 0 where there is none, as the part says
        bucket: query.intervalMs === null ? 0 : Math.floor((sum.bucketMs - first) / query.intervalMs),
      }))
      return { buckets, groups: outcomeGroups(parts, dimensionsOf(query), buckets.length) }
    },
    outcomeExamples: async (scope, query) =>
      examplesOf(
        matching(of, scope, query),
        ({ outcome, reason, category }) => `${outcome} ${reason} ${category}`,
      ),
  }
}

function matching(of: Tables, scope: ReadScope, query: OutcomeQuery): readonly OutcomeSum[] {
  const readable: ReadonlySet<number> = readableProjects(of, scope, query.projects)
  const keys: ReadonlySet<number> | null = query.keys === null ? null : new Set(query.keys)
  const start = bucketOf(query.startMs)
  return of.outcomes.where(
    ({ projectId, keyId, bucketMs }) =>
      readable.has(projectId) &&
      bucketMs >= start &&
      bucketMs < query.endMs &&
      (keys === null || keys.has(keyId)),
  )
}

/** Largest first, with the newest example that was given. */
function examplesOf(
  sums: readonly OutcomeSum[],
  nameOf: (sum: OutcomeSum) => string,
): readonly OutcomeExample[] {
  const byLast = sums.toSorted(ascending(({ lastMs }) => lastMs))
  const examples = new Map<string, OutcomeSum>()
  for (const sum of byLast) examples.set(nameOf(sum), withSum(examples.get(nameOf(sum)), sum))
  return [...examples.values()]
    .sort(
      inOrder(
        descending(({ quantity }) => quantity),
        ascending(({ outcome }) => outcome),
        ascending(({ category }) => category),
      ),
    )
    .map(({ outcome, reason, category, quantity, firstMs, lastMs, example }) => ({
      ...{ outcome, reason: reason === '' ? null : reason, category, quantity, firstMs, lastMs, example },
    }))
}

export function systemRead(of: Tables): SystemRead {
  const withoutProject = (sinceMs: number) =>
    of.outcomes.where(({ projectId, bucketMs }) => projectId === 0 && bucketMs >= bucketOf(sinceMs))
  return {
    counters: async () => ({
      appliedSeq: seq(of.number('appliedSeq') ?? 0),
      organisations: of.organisations.all().length,
      projects: of.projects.all().length,
      issues: of.issues.all().length,
      groups: of.groups.all().length,
      eventsStored: sumOver(of.groups.all(), ({ eventCount }) => eventCount),
      controlBytes: process.memoryUsage().heapUsed,
    }),
    recentOutcomes: async (sinceMs) =>
      of.outcomeMinutes
        .where(({ minuteMs }) => minuteMs >= sinceMs)
        .sort(
          inOrder(
            ascending(({ minuteMs }) => minuteMs),
            ascending(({ outcome }) => outcome),
          ),
        ),
    refusedWithoutProject: async (sinceMs) => {
      const refused = withoutProject(sinceMs).filter(({ outcome }) => outcome !== 'accepted')
      return examplesOf(refused, ({ reason }) => reason)
        .toSorted(
          inOrder(
            descending(({ quantity }) => quantity),
            ascending(({ reason }) => reason ?? ''),
          ),
        )
        .map(({ reason, quantity, example }) => ({ reason, quantity, example }))
    },
    lostFromJournal: async (sinceMs) => {
      const lost = withoutProject(sinceMs).filter(({ reason }) => reason === 'journal_damaged')
      const quantity = sumOver(lost, (sum) => sum.quantity)
      return quantity === 0 ? null : { quantity, lastMs: Math.max(...lost.map(({ lastMs }) => lastMs)) }
    },
    quarantined: async () => of.quarantined.all().sort(descending((row) => row.seq)),
  }
}
