/** Builds people's view of a rule, in any store. */
import { DAY_MS } from '#base/durations.ts'
import type { AlertRule } from '#model/alert-rule.ts'
import type { ReadScope } from '#ports/scope.ts'

const DAYS = 14

/** A rule of projects that the viewer may not read at all is none of their business. */
export function isVisible(
  { orgId, projects }: Pick<AlertRule, 'orgId' | 'projects'>,
  scope: ReadScope,
): boolean {
  if (orgId !== scope.orgId) return false
  return projects === null || projects.some((project) => scope.projects.includes(project))
}

/** By UTC day, oldest first; the last is today. */
export function firedByDay(times: readonly number[], nowMs: number): readonly number[] {
  const first = Math.floor(nowMs / DAY_MS) - DAYS + 1
  const days = Array.from({ length: DAYS }, () => 0)
  for (const atMs of times) {
    const at = Math.floor(atMs / DAY_MS) - first
    if (at >= 0 && at < DAYS) days[at] = (days[at] ?? 0) + 1
  }
  return days
}
