/** Rules that are on, as the commit remembers them. */
import type { ProjectWatch } from '#alerts/rules/watch.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlertRule } from '#model/alert-rule.ts'
import type { Memory } from '../memory.ts'

export type RulesMemory = ReturnType<typeof rememberWatches>

export function rememberWatches(memory: Memory) {
  // Those of another version are read anew.
  return {
    rules: memory.keep<'rules', Rules>({ most: 1, staysTrue: true }),
    /** Watches that rules have on each project. */
    ofProjects: memory.keep<ProjectId, ProjectWatch>({ most: max('projectsRememberedMax'), staysTrue: true }),
  }
}

export interface Rules {
  /** Version of the rules and of issues that are archived until they escalate. */
  readonly version: number
  readonly all: readonly AlertRule[]
  readonly escalating: ReadonlySet<ProjectId>
}
