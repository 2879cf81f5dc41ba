/** Both stages of stale clicks, some halves at a time: each is counted, then its groups get to the issue of their deploy. */
import { setImmediate } from 'node:timers/promises'
import { inChunks } from '#base/chunks.ts'
import type { IssueId } from '#base/ids.ts'
import type { StaleClickSeen } from '#ports/skew.ts'
import type { MovedIssues } from '#skew/gathering.ts'
import type { BatchProjects } from '../batch-projects.ts'
import { asStep, type StageStep } from '../stage.ts'
import { SKEW_ISSUE_STAGE } from './skew-issues.ts'
import { STALE_CLICK_STAGE } from './stale-clicks.ts'
import { HALVES_PER_TURN } from './stale-groups.ts'

const CLICKS = asStep(STALE_CLICK_STAGE)
const ISSUES = asStep(SKEW_ISSUE_STAGE)

/** Parts of a batch that both stages look at. */
interface AtSkew {
  readonly stale: readonly StaleClickSeen[]
  readonly projects: BatchProjects
  readonly nowMs: number
}

export const SKEW_STEP: StageStep<AtSkew, { readonly moved: MovedIssues; readonly isChanged: boolean }> = {
  name: 'skew',
  async run(db, at) {
    if (at.stale.length === 0) return null
    const moved = new Map<IssueId, IssueId>()
    for (const stale of inChunks(at.stale, HALVES_PER_TURN)) {
      const counted = await CLICKS.run(db, { ...at, stale })
      const placed = counted === null ? null : await ISSUES.run(db, { ...counted, nowMs: at.nowMs })
      for (const [from, into] of placed?.moved ?? []) moved.set(from, into)
      await setImmediate()
    }
    return { moved, isChanged: moved.size > 0 }
  },
}
