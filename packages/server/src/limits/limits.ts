/**
 * Every constant that bounds something, each with unit and reason, in one file an area. `docs/specification.md`
 * point 9 is checked against these. What a person sets is in `settings.ts`; what a project sets is in its options.
 */
import { AGENT_LIMITS } from './agents.ts'
import { ALERT_RULE_LIMITS } from './alert-rules.ts'
import { ALERT_LIMITS } from './alerts.ts'
import { ARTIFACT_LIMITS } from './artifacts.ts'
import { ATTACHMENT_LIMITS } from './attachments.ts'
import { BATCH_LIMITS } from './batches.ts'
import { ENVELOPE_LIMITS } from './envelopes.ts'
import { EVENT_LIMITS } from './events.ts'
import { FLAG_LIMITS } from './flags.ts'
import { HEALTH_LIMITS } from './health.ts'
import { ISSUE_LIMITS } from './issues.ts'
import { ITEM_LIMITS } from './items.ts'
import { JOB_LIMITS } from './jobs.ts'
import { JOURNAL_LIMITS } from './journal.ts'
import type { Limit } from './limit.ts'
import { NOTICE_LIMITS } from './notices.ts'
import { OUTCOME_LIMITS } from './outcomes.ts'
import { OVERLOAD_LIMITS } from './overload.ts'
import { PAGE_LIMITS } from './pages.ts'
import { PEOPLE_LIMITS } from './people.ts'
import { PROJECT_LIMITS } from './projects.ts'
import { RATE_LIMITS } from './rates.ts'
import { RELEASE_LIMITS } from './releases.ts'
import { REQUEST_LIMITS } from './requests.ts'
import { SCREEN_LIMITS } from './screens.ts'
import { SKEW_LIMITS } from './skew.ts'
import { SPAN_LIMITS } from './spans.ts'
import { STORE_LIMITS } from './stores.ts'
import { THREAD_LIMITS } from './threads.ts'
import { TRACKER_LIMITS } from './trackers.ts'
import { UPKEEP_LIMITS } from './upkeep.ts'

export type LimitArea = Readonly<Record<string, Limit>>

export { MIB } from './limit.ts'

/** By area, in the order of the specification. */
export const LIMIT_AREAS: Readonly<Record<string, LimitArea>> = {
  Requests: REQUEST_LIMITS,
  Envelopes: ENVELOPE_LIMITS,
  Attachments: ATTACHMENT_LIMITS,
  Events: EVENT_LIMITS,
  Spans: SPAN_LIMITS,
  'Items of plain kinds': ITEM_LIMITS,
  'Deploy skew': SKEW_LIMITS,
  Issues: ISSUE_LIMITS,
  Outcomes: OUTCOME_LIMITS,
  Journal: JOURNAL_LIMITS,
  'Process and commit': BATCH_LIMITS,
  Threads: THREAD_LIMITS,
  Artifacts: ARTIFACT_LIMITS,
  Releases: RELEASE_LIMITS,
  'Feature flags': FLAG_LIMITS,
  'Release health': HEALTH_LIMITS,
  Stores: STORE_LIMITS,
  Jobs: JOB_LIMITS,
  'Retention and upkeep': UPKEEP_LIMITS,
  Overload: OVERLOAD_LIMITS,
  Rates: RATE_LIMITS,
  People: PEOPLE_LIMITS,
  Projects: PROJECT_LIMITS,
  Notices: NOTICE_LIMITS,
  Alerts: ALERT_LIMITS,
  'Alert rules': ALERT_RULE_LIMITS,
  'Issue trackers': TRACKER_LIMITS,
  Screens: SCREEN_LIMITS,
  Pages: PAGE_LIMITS,
  Agents: AGENT_LIMITS,
}

export const LIMITS = {
  ...REQUEST_LIMITS,
  ...ENVELOPE_LIMITS,
  ...ATTACHMENT_LIMITS,
  ...EVENT_LIMITS,
  ...SPAN_LIMITS,
  ...ITEM_LIMITS,
  ...SKEW_LIMITS,
  ...ISSUE_LIMITS,
  ...OUTCOME_LIMITS,
  ...JOURNAL_LIMITS,
  ...BATCH_LIMITS,
  ...THREAD_LIMITS,
  ...ARTIFACT_LIMITS,
  ...RELEASE_LIMITS,
  ...FLAG_LIMITS,
  ...HEALTH_LIMITS,
  ...STORE_LIMITS,
  ...JOB_LIMITS,
  ...UPKEEP_LIMITS,
  ...OVERLOAD_LIMITS,
  ...RATE_LIMITS,
  ...PEOPLE_LIMITS,
  ...PROJECT_LIMITS,
  ...NOTICE_LIMITS,
  ...ALERT_LIMITS,
  ...ALERT_RULE_LIMITS,
  ...TRACKER_LIMITS,
  ...SCREEN_LIMITS,
  ...PAGE_LIMITS,
  ...AGENT_LIMITS,
} satisfies LimitArea

export type LimitName = keyof typeof LIMITS

/** The number alone: `max('eventBytesMax')`. */
export function max(name: LimitName): number {
  return LIMITS[name].value
}
