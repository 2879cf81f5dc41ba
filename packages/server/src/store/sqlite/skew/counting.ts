/** Both stages of stale clicks: each is counted, then its groups get to the issue of their deploy. */
import type { MovedIssues } from '#skew/gathering.ts'
import type { Connection } from '../connection.ts'
import { runStage } from '../stage.ts'
import { SKEW_ISSUES } from './skew-issues.ts'
import { type HalvesAtHand, STALE_CLICK_STAGE } from './stale-clicks.ts'

/** Answers the issues that became part of others. */
export function countStaleClicks(db: Connection, halves: HalvesAtHand, nowMs: number): MovedIssues {
  const clicks = runStage(db, STALE_CLICK_STAGE, halves)
  const placed = clicks === null ? null : runStage(db, SKEW_ISSUES, { ...clicks, nowMs })
  return new Map((placed?.moves ?? []).map(({ from, into }) => [from, into]))
}
