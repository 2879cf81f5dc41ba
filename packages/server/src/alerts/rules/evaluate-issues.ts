/** Issue rules: candidates of a stretch against the rules of their projects. Asked by sets, decided, saved. */
import { hourOf } from '#base/durations.ts'
import type { OrgId, ProjectId } from '#base/ids.ts'
import { whatFollowsEscalating } from '#issues/follows/escalating.ts'
import { type AlertIssue, failureLine } from '#model/alert-message.ts'
import { type IssueRule, isMuted } from '#model/alert-rule.ts'
import type { NewMessage, Occasion } from '#ports/messages.ts'
import type {
  AlertStore,
  Candidate,
  CandidateProgress,
  NewFiring,
  OrgProject,
  TellingOrg,
} from './alert-store.ts'
import { tellByPresets } from './evaluate-presets.ts'
import { closeIncidents } from './incidents.ts'
import { asksLatestRelease, matches } from './matches.ts'
import { isTooSoon, messagesOf } from './messages.ts'
import {
  becauseOf,
  canEscalate,
  countsAsked,
  type Escalation,
  escalationOf,
  escalationWords,
  isEnoughToEscalate,
  type SeenMoment,
} from './moments.ts'
import { rangesOnce, SlotSums } from './slots.ts'
import { loadStorms, type Storms, saveStorms } from './storms.ts'
import { STEP_COSTS, type TurnWork, tellingSteps } from './turn-work.ts'
import { NO_FACTS, type SeenFacts } from './watch.ts'

/** A candidate, and the rules that look at it in this stretch. */
export interface Looked {
  readonly candidate: Candidate
  /** By id. */
  readonly rules: readonly IssueRule[]
  /** Rules beyond these are to look at it as well. */
  readonly isCut: boolean
}

export interface Stretch {
  readonly looked: readonly Looked[]
  readonly projects: ReadonlyMap<ProjectId, OrgProject>
  readonly nowMs: number
  readonly work: TurnWork
}

export interface StretchTurn {
  readonly fired: number
  readonly messages: number
  /** Told by preset rules. */
  readonly notices: number
  readonly escalated: number
  /** So many candidates are through. */
  readonly done: number
  /** Place at which the next one is left in the midst of rules. */
  readonly progress: CandidateProgress | null
}

const NO_MEMBERS: ReadonlyMap<OrgId, number> = new Map()

interface Seen extends SeenMoment, Looked {
  readonly project: OrgProject
  readonly facts: SeenFacts
  readonly begun: Escalation | null
}

export async function evaluateStretch(store: AlertStore, stretch: Stretch): Promise<StretchTurn> {
  const { looked, nowMs, work } = stretch
  const seen = await lookAtIssues(store, stretch)
  const met = await meetRules(store, seen, work)
  const members =
    met.length === 0 ? NO_MEMBERS : await store.memberCounts([...new Set(met.map(({ rule }) => rule.orgId))])
  const storms = await loadStorms(store, met, nowMs)
  const decided = decideFirings({ looked, seen, met, members, nowMs, work, storms })
  const notices = await tellByPresets(store, lookedAt(seen, decided), { nowMs, work })
  const messages = await saveStretch(store, decided, { nowMs, work })
  const { fired, escalations, done, progress } = decided
  return {
    ...{ fired: fired.length, messages, notices, escalated: escalations.length },
    ...{ done: done.length, progress: progress?.at ?? null },
  }
}

/** Candidates whose issue and project are there still, as each finds its issue. */
async function lookAtIssues(store: AlertStore, { looked, projects }: Stretch): Promise<readonly Seen[]> {
  const issues = new Map(await store.issues([...new Set(looked.map(({ candidate }) => candidate.issueId))]))
  const facts = await store.facts(looked.map(({ candidate }) => candidate.id))
  const there = looked.flatMap((one) => {
    const issue = issues.get(one.candidate.issueId)
    const project = projects.get(one.candidate.projectId)
    return issue === undefined || project === undefined ? [] : [{ ...one, issue, project }]
  })
  const begun = await beginEscalations(store, there)
  return there.map(({ candidate, ...one }) => {
    const issue = issues.get(candidate.issueId) ?? one.issue
    const escalated = begun.get(candidate.id) ?? null
    if (escalated !== null) issues.set(issue.id, { ...issue, status: 'unresolved', substatus: 'escalating' })
    return {
      ...{ ...one, candidate, issue, moment: candidate.moment, atMs: candidate.atMs, begun: escalated },
      escalation: escalated === null ? (candidate.progress?.escalation ?? null) : escalationWords(escalated),
      facts: facts.get(candidate.id) ?? NO_FACTS,
    }
  })
}

/** Escalations that begin, by candidate. */
async function beginEscalations(
  store: AlertStore,
  there: readonly (Looked & Pick<Seen, 'issue'>)[],
): Promise<ReadonlyMap<number, Escalation>> {
  const may = there.filter(
    ({ candidate: { moment, progress }, issue }) =>
      progress === null && moment === 'touched' && canEscalate(issue),
  )
  const asked = (hours: number) => (one: (typeof may)[number]) => {
    return { issueId: one.issue.id, first: hourOf(one.candidate.atMs) - hours }
  }
  const now = may.length === 0 ? [] : await store.issueHours(may.map(asked(0)))
  const many = may.filter(({ candidate }, at) =>
    isEnoughToEscalate(now[at]?.get(hourOf(candidate.atMs)) ?? 0),
  )
  const weeks = many.length === 0 ? [] : await store.issueHours(many.map(asked(168)))
  const begun = many.flatMap(({ candidate, issue }, at) => {
    const one = escalationOf(issue, candidate.atMs, weeks[at] ?? new Map())
    return one === null ? [] : [[candidate.id, one] as const]
  })
  return new Map(begun)
}

/** A rule whose moments and conditions an issue meets. */
export interface Met {
  readonly rule: IssueRule
  readonly candidate: Candidate
  readonly because: string
  readonly lastMs: number | null
}

async function meetRules(store: AlertStore, seen: readonly Seen[], work: TurnWork): Promise<readonly Met[]> {
  const counts = await readSlotSums(store, seen, work)
  const because = seen.flatMap((one) =>
    one.rules.flatMap((rule) => {
      const why = becauseOf(rule, one, (range) => counts.of(range))
      return why === null ? [] : [{ one, rule, because: why }]
    }),
  )
  const asking = because.filter(({ rule }) => asksLatestRelease(rule)).map(({ one }) => one.project.id)
  const latest =
    asking.length === 0 ? new Map<ProjectId, string>() : await store.latestReleases([...new Set(asking)])
  const met = because.filter(({ one: { issue, facts, atMs, project }, rule }) =>
    matches(rule, { issue, facts, atMs, latestRelease: latest.get(project.id) ?? null }),
  )
  const asked = met.map(({ one, rule }) => ({ rule: rule.id, issue: one.issue.id }))
  const last = asked.length === 0 ? [] : await store.lastFired(asked)
  work.add(asked.length)
  return met.map(({ one, rule, because: why }, at) => {
    return { rule, candidate: one.candidate, because: why, lastMs: last[at] ?? null }
  })
}

/** Counts of an issue are shared by all rules that ask for no conditions. */
async function readSlotSums(store: AlertStore, seen: readonly Seen[], work: TurnWork): Promise<SlotSums> {
  const asking = seen.filter(({ issue, moment }) => issue.status === 'unresolved' || moment === 'digest')
  const ranges = rangesOnce(
    asking.flatMap(({ rules, candidate }) => rules.flatMap((rule) => countsAsked(rule, candidate))),
  )
  const slots = ranges.length === 0 ? [] : await store.slots(ranges)
  work.add(slots.reduce((sum, rows) => sum + STEP_COSTS.slots + rows.length, 0))
  return new SlotSums(ranges, slots)
}

interface Fired extends Met {
  readonly one: Seen
  readonly untold: NewFiring['untold']
}

interface Deciding {
  readonly looked: readonly Looked[]
  readonly seen: readonly Seen[]
  readonly met: readonly Met[]
  readonly members: ReadonlyMap<OrgId, number>
  readonly storms: Storms
  readonly nowMs: number
  readonly work: TurnWork
}

interface Decided {
  readonly fired: readonly Fired[]
  readonly escalations: readonly Escalation[]
  readonly storms: Storms
  readonly done: readonly number[]
  /** Place at which the last of them is left in the midst of rules. */
  readonly progress: { readonly id: number; readonly at: CandidateProgress } | null
  readonly resolved: readonly Seen[]
}

/** Goes on rule by rule until it worked enough; at least one looks. */
function decideFirings({ looked, seen, met, members, storms, nowMs, work }: Deciding): Decided {
  const fired: Fired[] = []
  const begun: Escalation[] = []
  const resolved: Seen[] = []
  const there = new Map(seen.map((one) => [one.candidate.id, one]))
  const found = new Map(met.map((one) => [`${one.candidate.id} ${one.rule.id}`, one]))
  const firedNow = new Set<string>()
  const done: number[] = []
  for (const { candidate, rules, isCut } of looked) {
    if (done.length > 0 && work.isEnough) break
    const one = there.get(candidate.id)
    if (one?.begun != null) begun.push(one.begun)
    let after: number | null = null
    for (const rule of one === undefined ? [] : rules) {
      if (after !== null && work.isEnough) break
      work.add(stepsOf(rule))
      after = rule.id
      const hit = found.get(`${candidate.id} ${rule.id}`)
      if (hit === undefined || one === undefined) continue
      const name = `${rule.id} ${candidate.issueId}`
      if (isTooSoon(rule, firedNow.has(name) ? nowMs : hit.lastMs, nowMs)) continue
      firedNow.add(name)
      const untold = isMuted(rule, nowMs) ? 'muted' : storms.join(rule.id) ? 'storm' : null
      const telling = untold === null ? tellingSteps(rule.notify, members.get(rule.orgId) ?? 0) : 0
      work.add(STEP_COSTS.firing + telling)
      fired.push({ ...hit, one, untold })
    }
    const isThrough = one === undefined || (!isCut && after === (rules.at(-1)?.id ?? null))
    if (!isThrough) {
      const at = { after: after ?? candidate.progress?.after ?? 0, escalation: one.escalation }
      return { fired, escalations: begun, storms, done, progress: { id: candidate.id, at }, resolved }
    }
    done.push(candidate.id)
    if (one !== undefined && candidate.moment === 'resolved') resolved.push(one)
  }
  return { fired, escalations: begun, storms, done, progress: null, resolved }
}

/** Candidates that the turn came to. */
function lookedAt(seen: readonly Seen[], { done, progress }: Decided): readonly Seen[] {
  const all = new Set(progress === null ? done : [...done, progress.id])
  return seen.filter(({ candidate }) => all.has(candidate.id))
}

export function stepsOf(rule: IssueRule): number {
  return 1 + rule.if.conditions.length / 4
}

/** Answers how many messages are queued. */
async function saveStretch(
  store: AlertStore,
  { fired, escalations: begun, storms, done, progress, resolved }: Decided,
  { nowMs, work }: { readonly nowMs: number; readonly work: TurnWork },
): Promise<number> {
  if (begun.length > 0)
    await store.changeIssues(begun.map(({ issueId, ...given }) => whatFollowsEscalating(issueId, given)))
  const messages = await saveFirings(store, fired, { nowMs, work })
  await saveStorms(store, storms)
  if (done.length > 0) await store.removeCandidates(done)
  if (progress !== null) await store.keepProgress(progress.id, progress.at)
  return messages + (await closeIncidents(store, resolved, nowMs))
}

async function saveFirings(
  store: AlertStore,
  fired: readonly Fired[],
  { nowMs, work }: { readonly nowMs: number; readonly work: TurnWork },
): Promise<number> {
  if (fired.length === 0) return 0
  const ids = [...new Set(fired.map(({ one }) => one.issue.id))]
  const told = await store.told(ids)
  work.add(STEP_COSTS.told * ids.length)
  const orgs = await store.organisations([...new Set(fired.map(({ one }) => one.project.orgId))])
  const full = fired.flatMap((one) => {
    const issue = told.get(one.one.issue.id)
    return issue === undefined ? [] : [{ ...one, told: issue }]
  })
  const firings = await store.addFirings(full.map((one) => issueFiring(one, nowMs)))
  const messages = full.flatMap((one, at) => {
    const org = orgs.get(one.one.project.orgId)
    const firingId = firings[at]
    if (org === undefined || firingId === undefined || one.untold !== null) return []
    return firingMessages(one, { org, firingId, nowMs })
  })
  if (messages.length > 0) await store.queueMessages(messages, nowMs)
  return messages.length
}

type Telling = Fired & { readonly told: AlertIssue }

function issueFiring({ rule, one, because, untold, told }: Telling, nowMs: number): NewFiring {
  const { candidate, issue } = one
  return {
    ...{ ruleId: rule.id, projectId: candidate.projectId, issueId: issue.id, issueNumber: issue.number },
    ...{ level: 'info', startedMs: nowMs, endedMs: nowMs, extreme: null },
    ...{ headline: headlineOf(candidate, issue, told), because, untold },
  }
}

function firingMessages(
  { rule, one: { candidate, issue, facts, project }, because, told }: Telling,
  { org, firingId, nowMs }: { readonly org: TellingOrg; readonly firingId: number; readonly nowMs: number },
): readonly NewMessage[] {
  const { eventId, traceId, release } = facts
  const of = {
    ...told,
    environment: facts.tags.environment?.[0] ?? told.environment,
    release: release ?? told.release,
    eventId: eventId ?? told.eventId,
    traceId: traceId ?? told.traceId,
  }
  const isResolved = candidate.moment === 'resolved'
  return messagesOf(rule, org, {
    ...{ firingId, project, issueId: issue.id, nowMs, occasion: occasionOf(candidate) },
    message: {
      ...{ moment: isResolved ? 'resolved' : 'fired', level: isResolved ? 'ok' : 'info' },
      ...{ headline: headlineOf(candidate, issue, told), because, issue: of, story: `issue-${issue.id}` },
    },
  })
}

/** New, back, frequent, escalating: events came. */
function occasionOf({ moment, atMs }: Candidate): Occasion {
  const isOfPeople =
    moment === 'resolved' || moment === 'comment' || moment === 'assignment' || moment === 'digest'
  return { of: isOfPeople ? moment : 'events', atMs }
}

function headlineOf(
  { moment }: Pick<Candidate, 'moment'>,
  { substatus }: Pick<SeenMoment['issue'], 'substatus'>,
  told: AlertIssue,
): string {
  const words: Readonly<Record<Candidate['moment'], string>> = {
    ...{
      new: 'New',
      regressed: substatus === 'regressed' ? 'Regressed' : 'Unarchived',
      resolved: 'Resolved',
      comment: 'Commented',
      assignment: 'Assigned',
    },
    ...{
      digest: 'Reported',
      escalating: 'Escalating',
      touched: substatus === 'escalating' ? 'Escalating' : 'Frequent',
    },
  }
  return `${words[moment]}: ${failureLine(told)}`.slice(0, 200)
}
