/**
 * Returns what each form of alerts shows, kept with the form: whoever saves it must have seen the current
 * values.
 */
import type { AlertRule, Channel, Queries, RuleDraft } from '@errata/server/queries'

type QuietHours = Awaited<ReturnType<Queries['quietHours']>>

/** Returns the settings of a rule that people choose. */
export function draftOfRule(rule: AlertRule): RuleDraft {
  const { name, projects, notify, everyMinutes, isQuiet, isOn } = rule
  const base = { name, projects, if: rule.if, notify, everyMinutes, isQuiet, isOn }
  return rule.kind === 'metric'
    ? { ...base, kind: rule.kind, when: rule.when }
    : { ...base, kind: rule.kind, when: rule.when }
}

export function seenRule(rule: AlertRule) {
  return JSON.stringify(draftOfRule(rule))
}

export function seenChannel({ name, settings }: Pick<Channel, 'name' | 'settings'>) {
  return JSON.stringify({ name, settings })
}

export function seenQuietHours({ isOn, fromMinute, untilMinute, timeZone, weekends }: QuietHours) {
  return JSON.stringify({ isOn, fromMinute, untilMinute, timeZone, weekends })
}
