/**
 * A project's own alerts as rules, made from its settings whenever rules are evaluated: no list of rules shows them, and no
 * bound of an organisation counts them. What other rules do not have is said here: an issue that was told of is quiet for
 * hours when it returns, and beyond so many a minute and an hour the rest is one summary.
 */
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { NoticeKind, NoticeSettings } from '#ports/notices.ts'

/** Kinds of notices that tell of one issue. */
export type ToldKind = Extract<NoticeKind, 'new' | 'regressed' | 'unarchived'>

export interface PresetRule {
  readonly preset: 'new' | 'returned'
  readonly tells: readonly ToldKind[]
  /** An issue that either rule of the project told of is not told of again for so long; 0: every time. */
  readonly quietMs: number
}

/** Returns none for a project that tells nobody. */
export function presetRules({ mail, webhook, quietHours }: NoticeSettings): readonly PresetRule[] {
  if (!mail && webhook === null) return []
  return [
    { preset: 'new', tells: ['new'], quietMs: 0 },
    { preset: 'returned', tells: ['regressed', 'unarchived'], quietMs: quietHours * HOUR_MS },
  ]
}

/** So many of a project's rules together are told one by one within so long. */
export const BOUNDS: readonly { readonly most: number; readonly withinMs: number }[] = [
  { most: max('noticesPerMinuteMax'), withinMs: MINUTE_MS },
  { most: max('noticesPerHourMax'), withinMs: HOUR_MS },
]
