/** Single terms of what a filter asks of an issue. */
import type { TeamId, UserId } from '#base/ids.ts'
import type { WantedValue } from '#model/tag-condition.ts'

/** Condition on an issue's whole life: from `fromMs`, before `untilMs`; `null` for an open end. */
export interface IssueTimeCondition {
  readonly of: 'firstSeen' | 'lastSeen'
  readonly fromMs: number | null
  readonly untilMs: number | null
  readonly negated: boolean
}

/** `null` among them: neither a person nor a team. None at all: nothing is assigned so. */
export interface AssigneeCondition {
  readonly userIds: readonly (UserId | null)[]
  readonly teamIds: readonly TeamId[]
  readonly negated: boolean
  /** Issues that nobody is assigned to and that ownership rules suggest one of them for, too. */
  readonly orSuggested?: boolean
}

/** Condition on what a person marked for themselves. */
export interface MarkCondition {
  readonly as: 'bookmarked' | 'subscribed'
  readonly userId: UserId
  readonly negated: boolean
}

/** A text that an issue has one of. Compared whole, ASCII letters in any case; `*` stands for any text. */
export interface IssueFieldCondition {
  readonly field: IssueField
  readonly value: WantedValue
  readonly negated: boolean
}

export type IssueField = 'type' | 'value' | 'platform' | 'category' | 'firstRelease' | 'lastRelease'

/** From `least` to `most`, both included. `events`: within the range, as the list shows them; `users`: of all time. */
export interface IssueCountCondition {
  readonly of: 'events' | 'users'
  readonly least: number
  readonly most: number
  readonly negated: boolean
}
