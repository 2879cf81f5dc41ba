/** A project's health in a few words. Pure. */
import type { ProjectHealth } from '@errata/server/queries'
import { crashFreeText, GOALS, type HealthTone, isYoung, toneOf } from '#parts/crash-free.ts'
import { versionOf } from '#parts/release-text.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { ageText, spanText } from '#ui/time-text.ts'

export interface HealthText {
  /** `waiting` is neither good nor bad. */
  readonly tone: 'good' | 'warn' | 'waiting'
  readonly text: string
  readonly note: string | null
}

export interface HealthNow {
  readonly nowMs: number
  readonly errors: number
  /** Unresolved issues that came back. */
  readonly regressed: number
  /** Of the last 24 hours. */
  readonly sessions: Sessions
  readonly lastEventMs: number | null
  /** Of the project that Errata reports its own failures to: that there are none is good news. */
  readonly isSelf: boolean
}

export function healthText(health: ProjectHealth, now: HealthNow): HealthText {
  switch (health.state) {
    case 'waiting':
      if (now.isSelf) return { tone: 'good', text: 'No failures so far', note: null }
      return {
        tone: 'waiting',
        text: 'Waiting for the first event',
        note: health.hasKey ? null : 'No active client key: nothing can be sent',
      }
    case 'capped':
      return {
        tone: 'warn',
        text: 'Capped by spike protection',
        note: `${quantityText(health.notStored, 'event')} not stored in ${spanText(Math.max(10_000, now.nowMs - health.sinceMs))}`,
      }
    case 'growing':
      return growing(health, now.errors)
    case 'silent':
      return {
        tone: 'warn',
        text: `No events for ${ageText(now.lastEventMs ?? now.nowMs, now.nowMs)}`,
        note: `Longest gap in 28 days: ${spanText(health.longestGapMs)}`,
      }
    case 'limited':
      return {
        tone: 'warn',
        text: `${quantityText(health.notStored, 'item')} over the rate limit`,
        note: 'In 24 h',
      }
    case 'steady':
      return steady(now)
  }
}

function steady({ errors, regressed, sessions, nowMs }: HealthNow): HealthText {
  const share = crashFreeShare(sessions)
  if (sessionsTone(sessions, nowMs) === 'bad')
    return { tone: 'warn', text: `${crashFreeText(share)} crash-free`, note: GOAL_NOTE }
  if (regressed > 0) return { tone: 'warn', text: quantityText(regressed, 'regressed issue'), note: null }
  return { tone: 'good', text: errors === 0 ? 'No errors in 24 h' : 'OK', note: null }
}

type Sessions = { readonly sessions: number; readonly crashed: number } | null

const GOAL_NOTE = `Goal: ${Math.round(GOALS.sessions * 100)} % of sessions`

/** `null` where there were no sessions. */
export function crashFreeShare(counts: Sessions): number | null {
  if (counts === null || counts.sessions === 0) return null
  return 1 - Math.min(counts.crashed, counts.sessions) / counts.sessions
}

/** Of many releases: few sessions alone are a reason not to judge. */
export function sessionsTone(counts: Sessions, nowMs: number): HealthTone {
  const { sessions } = counts ?? { sessions: 0 }
  return toneOf(crashFreeShare(counts), { of: 'sessions', isYoung: isYoung(0, { sessions, nowMs }) })
}

/** A release of the same day is named: what is new is looked at first. */
function growing(
  { before, release }: Extract<ProjectHealth, { readonly state: 'growing' }>,
  errors: number,
): HealthText {
  const text = growthText(errors, before)
  if (release === null) return { tone: 'warn', text, note: beforeText(before) }
  return { tone: 'warn', text: `More errors since ${versionOf(release)}`, note: text }
}

function growthText(errors: number, before: number): string {
  if (before === 0) return 'Errors after a day without any'
  const times = errors / before
  return `${times < 10 ? times.toFixed(1) : numberText(Math.round(times))} times the errors of the day before`
}

function beforeText(before: number): string | null {
  return before === 0 ? null : `${numberText(before)} in the 24 h before`
}

export interface Told {
  readonly name: string
  readonly health: HealthText
}

/** What the list comes to, in parts of one sentence: projects to look at by name, the rest by number. */
export function healthSummary(projects: readonly Told[]): readonly SummaryPart[] {
  if (projects.every(({ health }) => health.tone === 'good')) return [{ name: null, says: 'All OK' }]
  const [bad, good, waiting] = (['warn', 'good', 'waiting'] as const).map((tone) =>
    projects.filter(({ health }) => health.tone === tone),
  )
  const named = (bad ?? [])
    .slice(0, NAMED_MAX)
    .map(({ name, health }) => ({ name, says: lowered(health.text) }))
  const rest = (bad?.length ?? 0) - named.length
  const counted = [
    ...(rest > 0 ? [`${quantityText(rest, 'more project')} to look at`] : []),
    ...(good === undefined || good.length === 0 ? [] : [`${numberText(good.length)} OK`]),
    ...(waiting === undefined || waiting.length === 0
      ? []
      : [`${numberText(waiting.length)} waiting for the first event`]),
  ]
  return [...named, ...counted.map((says) => ({ name: null, says }))]
}

export interface SummaryPart {
  readonly name: string | null
  readonly says: string
}

const NAMED_MAX = 3

function lowered(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
