/** A project's health in a few words. Pure. */
import type { ProjectHealth } from '@errata/server/queries'
import { numberText, quantityText } from '#ui/number-text.ts'
import { ageText, spanText } from '#ui/time-text.ts'

export interface HealthText {
  /** `waiting` is neither good nor bad. */
  readonly tone: 'good' | 'warn' | 'waiting'
  readonly text: string
  readonly note: string | null
}

export function healthText(
  health: ProjectHealth,
  now: {
    readonly nowMs: number
    readonly errors: number
    readonly lastEventMs: number | null
    /** Of the project that Errata reports its own failures to: that there are none is good news. */
    readonly isSelf: boolean
  },
): HealthText {
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
      return { tone: 'warn', text: growthText(now.errors, health.before), note: beforeText(health.before) }
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
      return { tone: 'good', text: now.errors === 0 ? 'No errors in 24 h' : 'OK', note: null }
  }
}

function growthText(errors: number, before: number): string {
  if (before === 0) return 'Errors after a day without any'
  const times = errors / before
  return `${times < 10 ? times.toFixed(1) : numberText(Math.round(times))} times the errors of the day before`
}

function beforeText(before: number): string | null {
  return before === 0 ? null : `${numberText(before)} in the 24 h before`
}
