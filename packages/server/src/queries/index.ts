export { relayPath } from '#base/public-address.ts'
export type { SuspectCommit } from '#issues/suspect-commits.ts'
export { isActionId, shortAction } from '#model/action-name.ts'
export type { AlertMessage } from '#model/alert-message.ts'
export {
  type AlertRule,
  EMAIL_MOMENTS,
  isMuted,
  OWNERS_OTHERWISE,
  type QuietHours,
  type RuleDraft,
  WINDOWS_MINUTES,
} from '#model/alert-rule.ts'
export {
  conditionOf,
  conditionWords,
  measureWords,
  momentWords,
  type RuleNames,
  ruleSentence,
  spanOfMinutes,
  unitOf,
  valueWords,
  volumeWords,
} from '#model/alert-words.ts'
export { REPOSITORY_HOSTS } from '#model/code-mapping.ts'
export { INBOX_KINDS, type InboxKind } from '#model/inbox.ts'
export { settingsIn } from '#model/project-options.ts'
export { LIST_COLUMNS } from '#model/search-words.ts'
export { type OptionSection, optionsAt, type PlacedSetting, valueAt } from '#model/setting-kinds.ts'
export type { AlertRuleView } from '#ports/alerts.ts'
export { CHANNEL_KINDS, type Channel, type ChannelKind } from '#ports/channels.ts'
export type { InboxEntry } from '#ports/inbox.ts'
export type { ResolveIn } from '#ports/issues.ts'
export type { DeliveryLogEntry, MessageLogEntry, MessageState } from '#ports/messages.ts'
export type { Project, ProjectKey } from '#ports/projects.ts'
export type { ReleaseStatus } from '#ports/releases.ts'
export type { RouteTrend } from '#ports/requests.ts'
export type { ReadScope } from '#ports/scope.ts'
export {
  TRACKER_KINDS,
  type Tracker,
} from '#ports/trackers.ts'
export { VITAL_THRESHOLDS } from '#requests/vitals.ts'
export type { AdoptionView } from './adoption.ts'
export type { IssueSplit } from './issue-split-types.ts'
export type { NoticesView } from './notices.ts'
export type { FoundPerson, PersonItem, PersonView } from './people-types.ts'
export { PERSON_BY, personRef } from './person-key.ts'
export type { ProjectHealth } from './project-health.ts'
export type { Queries } from './queries.ts'
export type { HealthView, ReleaseHealth } from './release-health.ts'
export { crashFree, healthySessions } from './release-health.ts'
export { readRouteSearch, routeSearchOffers } from './search/route-search.ts'
export { searchTokens } from './search/trace-search.ts'
export type { DeployDetail, DeployRow } from './skew/types.ts'
export type { SystemView } from './system-view.ts'
export { periodBefore } from './time-range.ts'
export type {
  EventTrace,
  PerformanceView,
  TraceError,
  TraceList,
  TraceSpan,
  TraceView,
  VitalsView,
} from './traces/types.ts'
export * from './types.ts'
export type { PageWait } from './waits.ts'
