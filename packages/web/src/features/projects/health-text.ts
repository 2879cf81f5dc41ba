/** A project's health in a few words. Pure. */
import type { ProjectHealth } from '@errata/server/queries'
import { crashFreeText, crashFreeTone, GOALS, type HealthTone, isYoung } from '#parts/crash-free.ts'
import { versionOf } from '#parts/release-text.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { ageText, spanText } from '#ui/time-text.ts'

export interface HealthText {
  /** `waiting` is neither good nor bad. */
  readonly tone: 'good' | 'warn' | 'waiting'
  readonly text: string
  /** Sentence behind the project's name. */
  readonly says: string
  readonly note: string | null
  /** Its silence was not looked at. */
  readonly isUnread?: true
}

export interface HealthNow {
  readonly nowMs: number
  readonly errors: number
  /** Unresolved issues that came back. */
  readonly regressed: number
  /** Sessions of the last 24 hours. */
  readonly sessions: Sessions
  readonly lastEventMs: number | null
  /** True for the project that Errata reports its own failures to: that there are none is good news. */
  readonly isSelf: boolean
}

export function healthText(health: ProjectHealth, now: HealthNow): HealthText {
  switch (health.state) {
    case 'waiting':
      if (now.isSelf) return { tone: 'good', text: 'No errors so far', says: 'is OK', note: null }
      return {
        tone: 'waiting',
        text: 'Waiting for the first event',
        says: 'waits for its first event',
        note: health.hasKey ? null : 'No active client key: nothing can be sent',
      }
    case 'capped':
      return {
        tone: 'warn',
        text: 'Capped by spike protection',
        says: 'is capped by spike protection',
        note: `${quantityText(health.notStored, 'event')} not stored in ${spanText(Math.max(10_000, now.nowMs - health.sinceMs))}`,
      }
    case 'growing':
      return growing(health, now.errors)
    case 'silent': {
      const age = ageText(now.lastEventMs ?? now.nowMs, now.nowMs)
      return {
        tone: 'warn',
        text: `No events for ${age}`,
        says: `has sent no events for ${age}`,
        note: `Longest gap in 28 days: ${spanText(health.longestGapMs)}`,
      }
    }
    case 'limited':
      return {
        tone: 'warn',
        text: `${quantityText(health.notStored, 'item')} over the rate limit`,
        says: 'is over its rate limit',
        note: 'In 24 h',
      }
    case 'steady':
      return steady(now)
    case 'unread': {
      const age = ageText(now.lastEventMs ?? now.nowMs, now.nowMs)
      return {
        tone: 'waiting',
        text: `No events for ${age}`,
        says: `has sent no events for ${age}`,
        note: 'Not yet compared with its usual gaps; reload to update',
        isUnread: true,
      }
    }
  }
}

function steady({ errors, regressed, sessions, nowMs }: HealthNow): HealthText {
  const share = crashFreeShare(sessions)
  if (sessionsTone(sessions, nowMs) === 'bad') {
    const text = `${crashFreeText(share)} crash-free`
    return {
      tone: 'warn',
      text,
      says: `is ${text}, below its goal of ${GOAL}`,
      note: `Goal: ${GOAL} of sessions`,
    }
  }
  if (regressed > 0) {
    const text = quantityText(regressed, 'regressed issue')
    return { tone: 'warn', text, says: `has ${text}`, note: null }
  }
  return { tone: 'good', text: errors === 0 ? 'No errors in 24 h' : 'OK', says: 'is OK', note: null }
}

type Sessions = { readonly sessions: number; readonly crashed: number } | null

const GOAL = `${Math.round(GOALS.sessions * 100)} %`

/** Returns the share of sessions without a crash. `null` where there were no sessions. */
export function crashFreeShare(counts: Sessions): number | null {
  if (counts === null || counts.sessions === 0) return null
  return 1 - Math.min(counts.crashed, counts.sessions) / counts.sessions
}

/** Returns the tone of sessions over many releases: few sessions alone are a reason not to judge. */
export function sessionsTone(counts: Sessions, nowMs: number): HealthTone {
  const { sessions } = counts ?? { sessions: 0 }
  return crashFreeTone(crashFreeShare(counts), { of: 'sessions', isYoung: isYoung(0, { sessions, nowMs }) })
}

/** Sentence about projects with more errors; a release of the same day is named, since it is looked at first. */
function growing(
  { before, release }: Extract<ProjectHealth, { readonly state: 'growing' }>,
  errors: number,
): HealthText {
  const text = growthText(errors, before)
  if (release === null)
    return { tone: 'warn', text, says: `has ${lowerFirst(text)}`, note: dayBeforeText(before) }
  const since = `more errors since ${versionOf(release)}`
  return { tone: 'warn', text: `M${since.slice(1)}`, says: `has ${since}`, note: text }
}

function growthText(errors: number, before: number): string {
  if (before === 0) return 'Errors after a day without any'
  const times = errors / before
  return `${times < 10 ? times.toFixed(1) : numberText(Math.round(times))} times the errors of the day before`
}

function dayBeforeText(before: number): string | null {
  return before === 0 ? null : `${numberText(before)} in the 24 h before`
}

export interface Told {
  readonly name: string
  readonly health: HealthText
}

/**
 * Summarises projects in a sentence or two: those to look at by name, the rest by number, and one that waits
 * by name again.
 */
export function healthSummary(projects: readonly Told[]): readonly SummaryPart[] {
  if (projects.every(({ health }) => health.tone === 'good'))
    return [{ name: null, says: 'All OK', begins: true }]
  const ofTone = (tone: HealthText['tone']) => projects.filter(({ health }) => health.tone === tone)
  const [bad, good, waiting] = [ofTone('warn'), ofTone('good'), ofTone('waiting')]
  const named = bad.slice(0, NAMED_MAX).map(({ name, health }) => ({ name, says: health.says }))
  const more = bad.length - named.length
  const toLookAt = more > 0 ? [...named, { name: null, says: `${moreText(more)} a look` }] : named
  return [...sentence(toLookAt), ...sentence([...countParts(good, 'OK'), ...waitingParts(waiting)])]
}

export interface SummaryPart {
  readonly name: string | null
  readonly says: string
  /** A sentence. */
  readonly begins: boolean
}

const NAMED_MAX = 3

type Part = Omit<SummaryPart, 'begins'>

function sentence(parts: readonly Part[]): readonly SummaryPart[] {
  return parts.map((part, at) => ({ ...part, begins: at === 0 }))
}

function moreText(count: number): string {
  return count === 1 ? '1 more needs' : `${numberText(count)} more need`
}

function countParts(projects: readonly Told[], what: string): readonly Part[] {
  if (projects.length === 0) return []
  return [
    { name: null, says: `${numberText(projects.length)} ${projects.length === 1 ? 'is' : 'are'} ${what}` },
  ]
}

function waitingParts(all: readonly Told[]): readonly Part[] {
  const unread = all.filter(({ health }) => health.isUnread === true)
  const quiet =
    unread.length === 0 ? [] : [{ name: null, says: `${numberText(unread.length)} quiet, not checked yet` }]
  return [...firstEventParts(all.filter(({ health }) => health.isUnread !== true)), ...quiet]
}

function firstEventParts(projects: readonly Told[]): readonly Part[] {
  const [only, ...others] = projects
  if (only === undefined) return []
  if (others.length === 0) return [{ name: only.name, says: only.health.says }]
  return [{ name: null, says: `${numberText(projects.length)} wait for their first event` }]
}

/** Facts that a project's health follows from. */
export interface ProjectFacts extends Omit<HealthNow, 'nowMs' | 'regressed'> {
  readonly name: string
  readonly health: ProjectHealth
  readonly issues: { readonly regressed: number }
}

/** Returns the words of a project's row, and of the line above the rows. */
export function healthOf(project: ProjectFacts, nowMs: number): HealthText {
  return healthText(project.health, { ...project, regressed: project.issues.regressed, nowMs })
}

/**
 * Orders projects: what needs a look first, then most errors; projects that wait for events, and Errata's
 * own, last. Of equal ones `api 2` before `api 10`.
 */
export function compareUrgency(nowMs: number): (a: ProjectFacts, b: ProjectFacts) => number {
  const rank = (project: ProjectFacts) => {
    const { tone } = healthOf(project, nowMs)
    return project.isSelf && tone === 'good' ? RANKS.length : RANKS.indexOf(tone)
  }
  return (a, b) => rank(a) - rank(b) || b.errors - a.errors || NAMES.compare(a.name, b.name)
}

const NAMES = new Intl.Collator('en', { numeric: true })

const RANKS: readonly HealthText['tone'][] = ['warn', 'good', 'waiting']

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
