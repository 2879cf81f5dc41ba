/** Preset rules of projects, see `notices/rules/preset-rules.ts`: asked by sets, decided, saved before other rules tell. */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { type PresetRule, presetRules, type ToldKind } from '#notices/rules/preset-rules.ts'
import {
  boundsAt,
  changesByProject,
  isMirror,
  type NoticeChange,
  type NoticePlan,
  planNotices,
  quietTime,
  restOf,
  summaryDueMs,
  timeOfSummaries,
} from '#notices/rules/queueing.ts'
import { type HeldBack, NOTICE_SETTINGS_DEFAULT } from '#ports/notices.ts'
import type { AlertStore, Candidate, HeldOfProject, ReturnKind, WatchedIssue } from './alert-store.ts'
import { STEP_COSTS, TurnWork } from './turn-work.ts'

export interface PresetSeen {
  readonly candidate: Candidate
  readonly issue: WatchedIssue
}

/** True for what preset rules look at: once, with the first rules that look. */
export function isForPresets({ moment, progress }: Pick<Candidate, 'moment' | 'progress'>): boolean {
  return progress === null && (moment === 'new' || moment === 'regressed')
}

/** Tells of issues by the rules of their projects; answers how many notices were queued. */
export async function tellByPresets(
  store: AlertStore,
  seen: readonly PresetSeen[],
  { nowMs, work }: { readonly nowMs: number; readonly work: TurnWork },
): Promise<number> {
  const ours = seen.filter(({ candidate }) => isForPresets(candidate))
  if (ours.length === 0) return 0
  const changes = await changesToTell(store, ours)
  if (changes.length === 0) return 0
  const held = await findQuiet(store, changes, nowMs)
  const loud = changesByProject(changes.filter((change) => !held.has(change)))
  const plans = await planByBounds(store, loud, nowMs)
  const told = await saveNotices(store, plans, { nowMs, work })
  const summaries = await saveSummaries(store, plans, nowMs)
  if (held.size > 0) await store.noteHeldBack([...held.values()])
  const kept = [
    ...heldOf('quiet', [...held.keys()]),
    ...plans.flatMap(({ plan }) => heldOf('summarised', plan.beyond)),
  ]
  if (kept.length > 0) await store.countHeld(kept, nowMs)
  return told + summaries
}

async function changesToTell(
  store: AlertStore,
  seen: readonly PresetSeen[],
): Promise<readonly NoticeChange[]> {
  const settings = await store.noticeSettings([...new Set(seen.map(({ candidate }) => candidate.projectId))])
  const back = seen.filter(({ candidate }) => candidate.moment === 'regressed').map(({ issue }) => issue.id)
  const returns = back.length === 0 ? new Map() : await store.returnKinds(back)
  return seen.flatMap(({ candidate: { projectId, moment, atMs }, issue }) => {
    const kind = kindOf(moment, returns.get(issue.id))
    const rule = ruleFor(kind, presetRules(settings.get(projectId) ?? NOTICE_SETTINGS_DEFAULT))
    return rule === null
      ? []
      : [{ issueId: issue.id, projectId, kind, atMs, isMirror: isMirror(issue), rule }]
  })
}

/** Returns what happened, whatever people have made of the issue since. */
export function kindOf(moment: Candidate['moment'], returned: ReturnKind | undefined): ToldKind {
  if (moment === 'new') return 'new'
  return returned ?? 'regressed'
}

function ruleFor(kind: ToldKind, rules: readonly PresetRule[]): PresetRule | null {
  return rules.find(({ tells }) => tells.includes(kind)) ?? null
}

/** Changes within the quiet hours of their issues, with the notice that was told. */
async function findQuiet(
  store: AlertStore,
  changes: readonly NoticeChange[],
  nowMs: number,
): Promise<ReadonlyMap<NoticeChange, number>> {
  const asked = changes.flatMap((change) => {
    const within = quietTime(change, nowMs)
    return within === null ? [] : [{ change, within }]
  })
  if (asked.length === 0) return new Map()
  const told = await store.newestTold(
    asked.map(({ change, within }) => ({ issue: change.issueId, ...within })),
  )
  return new Map(
    asked.flatMap(({ change }, at) => {
      const notice = told[at] ?? null
      return notice === null ? [] : [[change, notice] as const]
    }),
  )
}

interface PlannedProject {
  readonly project: ProjectId
  readonly plan: NoticePlan
}

async function planByBounds(
  store: AlertStore,
  loud: ReadonlyMap<ProjectId, readonly NoticeChange[]>,
  nowMs: number,
): Promise<readonly PlannedProject[]> {
  if (loud.size === 0) return []
  const bounds = boundsAt(nowMs)
  const counts = await store.noticesWithin(
    [...loud.keys()].flatMap((project) => bounds.map(({ within }) => ({ project, ...within }))),
  )
  return [...loud].map(([project, changes], at) => {
    const own = counts.slice(at * bounds.length, (at + 1) * bounds.length)
    return { project, plan: planNotices(changes, own) }
  })
}

/**
 * Deliveries are made at once: whom a project's own alert tells by email hears nothing more of other rules. Of a crowd of
 * projects, or of people, the rest is left to whoever delivers.
 */
async function saveNotices(
  store: AlertStore,
  plans: readonly PlannedProject[],
  { nowMs, work }: { readonly nowMs: number; readonly work: TurnWork },
): Promise<number> {
  const queued = plans.flatMap(({ plan }) => plan.queued)
  if (queued.length === 0) return 0
  await store.addNotices(queued, nowMs)
  work.add(STEP_COSTS.firing * queued.length)
  const opening = new TurnWork()
  for (let opened = 0; opened < max('noticeOpenMax') && !opening.isEnough; opened++) {
    const { notices, deliveries } = await store.openNotices({ nowMs, limit: 1 })
    if (notices === 0) break
    for (const turn of [opening, work]) turn.add(STEP_COSTS.delivery * deliveries)
  }
  return queued.length
}

async function saveSummaries(
  store: AlertStore,
  plans: readonly PlannedProject[],
  nowMs: number,
): Promise<number> {
  const beyond = plans.filter(({ plan }) => plan.beyond.length > 0)
  if (beyond.length === 0) return 0
  const times = timeOfSummaries(nowMs)
  const before = await store.newestSummaries(beyond.map(({ project }) => ({ project, ...times })))
  const sums = beyond.map(({ project, plan }, at) => {
    const known = before[at] ?? null
    return { project, rest: restOf(plan.beyond), id: known?.id ?? null, dueMs: summaryDueMs(known, nowMs) }
  })
  await store.addToSummaries(
    sums.flatMap(({ id, dueMs, rest }) => (id === null || dueMs !== null ? [] : [{ id, rest }])),
  )
  const begun = sums.flatMap(({ project, rest, dueMs }) => (dueMs === null ? [] : [{ project, rest, dueMs }]))
  await store.beginSummaries(begun, nowMs)
  return begun.length
}

function heldOf(reason: keyof HeldBack, changes: readonly NoticeChange[]): readonly HeldOfProject[] {
  const byProject = Map.groupBy(changes, ({ projectId }) => projectId)
  return [...byProject].map(([project, list]) => ({ project, reason, count: list.length }))
}
