/** Storms: a rule that fires for too many issues at once tells of the rest in one message, once it is over. */
import { MINUTE_MS } from '#base/durations.ts'
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { IssueRule } from '#model/alert-rule.ts'
import { ONE_FOR_ALL, roughSpan } from '#model/alert-words.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { AlertStore, FiredAfter, OrgProject, RuleStateRow, TellingOrg } from './alert-store.ts'
import { closeIncidents } from './incidents.ts'
import { onlyProject, stormHeadlines, tell } from './messages.ts'
import { STEP_COSTS, type TurnWork, tellingSteps } from './turn-work.ts'

export const CALM = { level: 'ok', value: null, firingId: null, toldMs: null, stormMs: null } as const

/** How often rules told lately, and which gather a storm; goes on with what is decided. */
export class Storms {
  readonly #told: Map<number, number>
  readonly #states: Map<number, RuleStateRow>
  readonly #begun = new Map<number, RuleStateRow>()
  readonly #nowMs: number

  constructor(told: ReadonlyMap<number, number>, states: ReadonlyMap<number, RuleStateRow>, nowMs: number) {
    this.#told = new Map(told)
    this.#states = new Map(states)
    this.#nowMs = nowMs
  }

  /** Whether a firing is one of too many: it is kept, and told of with the others. */
  join(rule: number): boolean {
    const state = this.#states.get(rule) ?? { ...CALM, sinceMs: this.#nowMs }
    if (state.stormMs !== null) return true
    const told = this.#told.get(rule) ?? 0
    this.#told.set(rule, told + 1)
    if (told < max('alertStormFirings')) return false
    const stormy = { ...state, stormMs: this.#nowMs }
    this.#states.set(rule, stormy)
    this.#begun.set(rule, stormy)
    return true
  }

  /** States of rules that begin to gather one. */
  get begun(): ReadonlyMap<number, RuleStateRow> {
    return this.#begun
  }
}

export async function loadStorms(
  store: AlertStore,
  met: readonly { readonly rule: Pick<IssueRule, 'id'> }[],
  nowMs: number,
): Promise<Storms> {
  const rules = [...new Set(met.map(({ rule }) => rule.id))]
  if (rules.length === 0) return new Storms(new Map(), new Map(), nowMs)
  const afterMs = nowMs - max('alertStormMs')
  const fired = await store.firedAfter(rules.map((rule) => ({ rule, afterMs })))
  const told = new Map(rules.map((rule, at) => [rule, fired[at]?.told ?? 0]))
  return new Storms(told, await store.states(rules), nowMs)
}

export async function saveStorms(store: AlertStore, { begun }: Storms): Promise<void> {
  if (begun.size > 0) await store.putStates([...begun].map(([ruleId, state]) => ({ ruleId, ...state })))
}

interface Over {
  readonly rule: IssueRule
  readonly state: RuleStateRow
  readonly stormMs: number
}

interface Telling {
  readonly nowMs: number
  readonly work: TurnWork
  readonly projects: ReadonlyMap<number, OrgProject>
  readonly orgs: ReadonlyMap<OrgId, TellingOrg>
}

/** Storms that are told of together, at most. */
const AT_ONCE = 16

/** Storms whose time is over are told of, each in one message; answers how many were queued, and whether more wait. */
export async function tellStorms(
  store: AlertStore,
  rules: readonly IssueRule[],
  { nowMs, work }: { readonly nowMs: number; readonly work: TurnWork },
): Promise<{ readonly messages: number; readonly hasMore: boolean }> {
  const states = rules.length === 0 ? new Map() : await store.states(rules.map(({ id }) => id))
  const over = rules.flatMap((rule) => stormOver(rule, states.get(rule.id), nowMs))
  const orgs = [...new Set(over.map(({ rule }) => rule.orgId))]
  const members = orgs.length === 0 ? new Map<OrgId, number>() : await store.memberCounts(orgs)
  let messages = 0
  for (let at = 0; at < over.length; ) {
    if (at > 0 && work.isEnough) return { messages, hasMore: true }
    const some = stormsAtOnce(over.slice(at, at + AT_ONCE), members, work)
    messages += await tellSomeStorms(store, some, { nowMs, work })
    at += some.length
  }
  return { messages, hasMore: false }
}

/** Returns those that the turn has room for, at least one, and counts the steps of telling them. */
function stormsAtOnce(
  over: readonly Over[],
  members: ReadonlyMap<OrgId, number>,
  work: TurnWork,
): readonly Over[] {
  const some: Over[] = []
  for (const one of over) {
    if (some.length > 0 && work.isEnough) break
    work.add(tellingSteps(one.rule.notify, members.get(one.rule.orgId) ?? 0))
    some.push(one)
  }
  return some
}

export function stormOver(rule: IssueRule, state: RuleStateRow | undefined, nowMs: number): readonly Over[] {
  const stormMs = state?.stormMs ?? null
  if (state === undefined || stormMs === null || nowMs - stormMs < max('alertStormMs')) return []
  return [{ rule, state, stormMs }]
}

async function tellSomeStorms(
  store: AlertStore,
  over: readonly Over[],
  { nowMs, work }: Pick<Telling, 'nowMs' | 'work'>,
): Promise<number> {
  const fired = await store.firedAfter(
    over.map(({ rule, stormMs }) => ({ rule: rule.id, afterMs: stormMs - 1 })),
  )
  await store.putStates(over.map(({ rule, state }) => ({ ...state, ruleId: rule.id, stormMs: null })))
  const named = over.flatMap(({ rule }) => onlyProject(rule) ?? [])
  const projects = await store.projects([...named, ...fired.flatMap(({ last }) => last?.projectId ?? [])])
  const orgs = await store.organisations([...new Set(over.map(({ rule }) => rule.orgId))])
  const messages = over.flatMap((one, at) => {
    const gathered = fired[at]
    work.add(STEP_COSTS.slots + (gathered?.headlines.length ?? 0))
    return gathered === undefined ? [] : stormMessages(one, gathered, { nowMs, work, projects, orgs })
  })
  if (messages.length > 0) await store.queueMessages(messages, nowMs)
  return messages.length + (await closeStorms(store, fired, { projects, nowMs }))
}

function stormMessages(
  { rule, stormMs }: Over,
  { headlines }: FiredAfter,
  { nowMs, projects, orgs }: Telling,
): readonly NewMessage[] {
  const org = orgs.get(rule.orgId)
  if (headlines.length === 0 || org === undefined) return []
  const lasted = roughSpan((nowMs - stormMs) / MINUTE_MS)
  const [first] = rule.when
  const only = onlyProject(rule)
  return tell(rule, org, {
    ...{ firingId: null, project: only === null ? null : (projects.get(only) ?? null), nowMs },
    message: {
      ...{ moment: 'storm', level: 'info', story: `storm-${rule.id}-${stormMs}` },
      headline: `${headlines.length} ${first?.on === 'new' ? 'new issues' : 'issues'} in ${lasted}`,
      because: ONE_FOR_ALL,
      gathered: stormHeadlines(headlines),
    },
  })
}

/**
 * Ends what somebody resolved while the storm was gathered, before pagers hear of it. Returns how many are
 * told.
 */
async function closeStorms(
  store: AlertStore,
  fired: readonly FiredAfter[],
  { projects, nowMs }: Pick<Telling, 'projects' | 'nowMs'>,
): Promise<number> {
  const last = fired.flatMap((one) => one.last ?? [])
  if (last.length === 0) return 0
  const issues = await store.issues(last.map(({ issueId }) => issueId))
  const over = last.flatMap(({ issueId, projectId }) => {
    const [issue, project] = [issues.get(issueId), projects.get(projectId)]
    if (issue === undefined || project === undefined || issue.status === 'unresolved') return []
    return [{ issue, project }]
  })
  return closeIncidents(store, over, nowMs)
}
