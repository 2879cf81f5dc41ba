/** What evaluating rules reads and writes, as maps. */
import type { AlertStore, FailingAction, WatchedIssue } from '#alerts/rules/alert-store.ts'
import { evaluateRules } from '#alerts/rules/evaluate.ts'
import { lookUpAdditions } from '#alerts/rules/look-ups.ts'
import type { IssueId } from '#base/ids.ts'
import { healthGroups, peopleRanges } from '#issues/health-groups.ts'
import { suspectWords } from '#issues/suspect-commits.ts'
import { isActionId } from '#model/action-name.ts'
import type { AlertIssue } from '#model/alert-message.ts'
import { QUIET_HOURS_DEFAULT } from '#model/alert-rule.ts'
import { latestRelease } from '#model/release-order.ts'
import type { AlertBeat } from '#ports/alerts.ts'
import type { HealthQuery } from '#ports/health.ts'
import type { FiringRow } from '../alert-tables.ts'
import { ascending, byId, inOrder } from '../order.ts'
import { releasedAt, releasesOfProject } from '../releases/release-rows.ts'
import { suspectOfIssue } from '../releases/suspects.ts'
import { addCandidate, rulesOn } from '../rows/alert-candidates.ts'
import { writeActivity } from '../rows/issue-rows.ts'
import { groupsOf, issueView } from '../rows/issue-view.ts'
import { toldIssue } from '../rows/notice-rows.ts'
import { openIncidents } from '../rows/told-occasions.ts'
import type { GroupRow, Tables } from '../tables.ts'
import { addToSlot } from './alert-rows.ts'
import { insertMessages } from './message-queue.ts'

export function alertBeat(to: Tables): AlertBeat {
  return {
    evaluateDue: async (nowMs, metrics) =>
      to.transaction(() => evaluateRules(alertStore(to), nowMs, metrics)),
    noteLookUps: async (lookUps, nowMs) =>
      to.transaction(() => {
        const isWatched = rulesOn(to).some(
          (rule) => rule.kind === 'issue' && rule.when.some(({ on }) => on === 'digest'),
        )
        if (!isWatched) return
        for (const addition of lookUpAdditions(lookUps, nowMs)) addToSlot(to, addition)
        for (const { issueId } of lookUps) addCandidate(to, issueId, { moment: 'digest', atMs: nowMs })
      }),
  }
}

export function alertStore(to: Tables): AlertStore {
  return {
    ...named(to),
    ...figures(to),
    ...firings(to),
    candidates: (limit) =>
      to.alertCandidates
        .where(({ issueId }) => to.issues.get(issueId)?.substatus !== 'waiting')
        .sort(byId)
        .slice(0, limit),
    removeCandidates(ids) {
      for (const id of ids) to.alertCandidates.delete(id)
    },
    rulesOn: () => rulesOn(to),
    slots: (key, width, first, last) =>
      to.alertSlots
        .where((row) => row.key === key && row.width === width && row.slot >= first && row.slot <= last)
        .sort(ascending(({ slot }) => slot)),
    queueMessages: (messages, nowMs) => insertMessages(to, messages, nowMs),
    openIncidents: (issue) => openIncidents(to, issue),
    escalate(issue, atMs, detail) {
      const statusChangedMs = Math.floor(atMs)
      to.issues.change(issue, { status: 'unresolved', substatus: 'escalating', statusChangedMs })
      writeActivity(to, issue, { kind: 'escalated', atMs: statusChangedMs, actor: null, detail })
    },
  }
}

type Named = 'issue' | 'project' | 'projects' | 'organisation' | 'quietHours' | 'latestRelease' | 'told'

function named(of: Tables): Pick<AlertStore, Named> {
  return {
    issue: (id) => watchedIssue(of, id),
    told: (id) => toldAlert(of, id),
    project: (id) => of.projects.get(id) ?? null,
    projects: (org) => of.projects.where(({ orgId, isSelf }) => orgId === org && !isSelf).sort(byId),
    organisation(id) {
      const org = of.organisations.get(id)
      if (org === undefined) throw new Error(`no organisation ${id}: its rules go with it`)
      return org
    },
    quietHours: (org) => of.quietHours.get(org) ?? QUIET_HOURS_DEFAULT,
    latestRelease: (project) =>
      latestRelease(releasesOfProject(of, project).map(releasedAt))?.version ?? null,
  }
}

function watchedIssue(of: Tables, id: IssueId): WatchedIssue | null {
  const issue = of.issues.get(id)
  if (issue === undefined) return null
  const view = issueView(of, issue, { groups: groupsOf(of, id), newSinceMs: 0 })
  const { status, substatus, assigneeId, number } = issue
  const { handled, priority, level, title, culprit, firstSeenMs } = view
  return {
    ...{
      id,
      number,
      status,
      substatus,
      assigneeId,
      isOfTeam: issue.assigneeTeamId !== null,
      handled,
      priority,
      level,
      title,
      culprit,
      firstSeenMs,
    },
  }
}

function toldAlert(of: Tables, id: IssueId): AlertIssue {
  const issue = of.issues.get(id)
  if (issue === undefined) throw new Error(`no issue ${id}: it was looked at in this transaction`)
  const view = issueView(of, issue, { groups: groupsOf(of, id), newSinceMs: 0 })
  const { requestKind: _, isMirror: __, number: ___, ...facts } = toldIssue(of, issue)
  const suspect = suspectOfIssue(of, id)
  return {
    ...facts,
    function: view.function,
    place: view.filename,
    kinds: view.kinds.map(({ kind }) => kind),
    firstRelease: view.firstRelease,
    assignee: view.assignee === null ? null : view.assignee.name || view.assignee.email,
    suspect: suspect === null ? null : suspectWords(suspect),
  }
}

function failingAction(of: Tables, query: Parameters<AlertStore['failingAction']>[0]): FailingAction | null {
  const { project, startHour, route, environment } = query
  const named = of.actionSums
    .where((row) => row.projectId === project && row.hour >= startHour)
    .filter((row) => (route ?? row.route) === row.route)
    .filter((row) => (environment ?? row.environment) === row.environment)
    .map((row) => ({ ...row, action: of.actionNames.get(`${project} ${row.action}`)?.name ?? row.action }))
    .filter(({ action }) => action !== '' && !isActionId(action))
  return (
    [...Map.groupBy(named, ({ action }) => action)]
      .map(([action, rows]) => ({
        ...{ action, count: sumOf(rows, ({ count }) => count), failed: sumOf(rows, ({ failed }) => failed) },
      }))
      .filter(({ failed }) => failed > 0)
      .sort((a, b) => b.failed - a.failed || (a.action < b.action ? -1 : 1))[0] ?? null
  )
}

function sumOf<T>(all: readonly T[], value: (one: T) => number): number {
  return all.reduce((sum, one) => sum + value(one), 0)
}

type Figures =
  | 'issueHours'
  | 'busiestIssue'
  | 'failingAction'
  | 'outcomes'
  | 'lastAcceptedMs'
  | 'requestHours'
  | 'sessions'

function figures(of: Tables): Pick<AlertStore, Figures> {
  return {
    issueHours(issue, first) {
      const counts = new Map<number, number>()
      for (const { hours } of groupsOf(of, issue))
        for (const [hour, count] of hours)
          if (hour >= first) counts.set(hour, (counts.get(hour) ?? 0) + count)
      return counts
    },
    busiestIssue({ project, startHour, route, kind, environment }) {
      const isOf = ({ tags }: GroupRow) =>
        environment === null || tags.keys.get('environment')?.values.has(environment) === true
      const events = of.issues
        .where(({ projectId, substatus }) => projectId === project && substatus !== 'waiting')
        .map(({ id }) => ({ id, groups: groupsOf(of, id) }))
        .filter(({ groups }) => route === null || groups.some(({ routes }) => routes.has(route)))
        .filter(({ groups }) => kind === null || groups.some(({ kinds }) => kinds.has(kind)))
        .map(({ id, groups }) => ({
          id,
          count: sumOf(groups.filter(isOf), ({ hours }) =>
            sumOf([...hours], ([hour, count]) => (hour >= startHour ? count : 0)),
          ),
        }))
        .filter(({ count }) => count > 0)
      return events.sort((a, b) => b.count - a.count || a.id - b.id)[0]?.id ?? null
    },
    failingAction: (query) => failingAction(of, query),
    outcomes({ projects, outcomes, category, startMs, endMs }) {
      const ids: readonly number[] = projects
      return of.outcomes
        .where(
          (row) =>
            ids.includes(row.projectId) &&
            outcomes.includes(row.outcome) &&
            (category === null || row.category === category) &&
            row.bucketMs > startMs - 900_000 &&
            row.bucketMs <= endMs,
        )
        .reduce((sum, { quantity }) => sum + quantity, 0)
    },
    lastAcceptedMs(project, sinceMs) {
      const times = of.outcomes
        .where(
          ({ projectId, bucketMs, outcome, category }) =>
            projectId === project &&
            bucketMs > sinceMs &&
            outcome === 'accepted' &&
            ['error', 'transaction', 'span'].includes(category),
        )
        .map(({ lastMs }) => lastMs)
      return times.length === 0 ? null : Math.max(...times)
    },
    requestHours: ({ projects, route, kind, environment, startHour, endHour }) =>
      of.requestSums
        .where(
          (row) =>
            projects.includes(row.projectId) &&
            row.hour >= startHour &&
            row.hour < endHour &&
            (route === null || row.route === route) &&
            (kind === null || row.kind === kind) &&
            (environment === null || row.environment === environment),
        )
        .map(({ hour, count, failed, sketches: [sketch = new Uint8Array()] }) => ({
          hour,
          count,
          failed,
          sketch,
        })),
    sessions(query) {
      const isWanted = (row: {
        readonly projectId: number
        readonly release: string
        readonly environment: string
        readonly hour: number
      }) =>
        query.projects.some((id) => id === row.projectId) &&
        (query.release === null || row.release === query.release) &&
        (query.environment === null || row.environment === query.environment)
      const { startHour, endHour } = query
      const asked: HealthQuery = {
        ...{
          startHour,
          endHour,
          stepHours: null,
          projects: null,
          releases: null,
          environments: null,
          groupBy: [],
        },
      }
      const isWithin = (hour: number, range: { readonly startHour: number; readonly endHour: number }) =>
        hour >= range.startHour && hour < range.endHour
      const hours = of.healthHours.where((row) => isWanted(row) && isWithin(row.hour, asked))
      const people = peopleRanges(asked).flatMap((range) =>
        of.healthPeople.where((row) => isWanted(row) && row.span === range.span && isWithin(row.hour, range)),
      )
      const none = { sessions: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 }
      return healthGroups(asked, hours, people)[0]?.totals ?? { ...none, people: 0, crashedPeople: 0 }
    },
  }
}

type Firings =
  | 'state'
  | 'putState'
  | 'lastFiredMs'
  | 'firedAfter'
  | 'addFiring'
  | 'firingLevel'
  | 'changeFiring'

function firings(to: Tables): Pick<AlertStore, Firings> {
  return {
    state: (rule) => to.alertStates.get(rule) ?? null,
    putState: (rule, state) => to.alertStates.put(rule, state),
    lastFiredMs(rule, issue) {
      const times = to.alertFirings
        .where(({ ruleId, issueId }) => ruleId === rule && issueId === issue)
        .map(({ startedMs }) => startedMs)
      return times.length === 0 ? null : Math.max(...times)
    },
    firedAfter(rule, afterMs) {
      const rows = to.alertFirings
        .where(({ ruleId, startedMs }) => ruleId === rule && startedMs > afterMs)
        .sort(
          inOrder<FiringRow>(
            ascending(({ startedMs }) => startedMs),
            ascending(({ id }) => id),
          ),
        )
      const headlines = rows.filter(({ untold }) => untold === 'storm').map(({ headline }) => headline)
      return { told: rows.filter(({ untold }) => untold === null).length, headlines }
    },
    addFiring(firing) {
      const id = to.alertFirings.nextId()
      to.alertFirings.put(id, { ...firing, id })
      return id
    },
    firingLevel: (id) => to.alertFirings.get(id)?.level ?? null,
    changeFiring(id, change) {
      if (to.alertFirings.has(id)) to.alertFirings.change(id, change)
    },
  }
}
