/** Alert rules, as a transaction that changes some asks for them. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import type { AlertIssue } from '#model/alert-message.ts'
import type { AlertRule, QuietHours } from '#model/alert-rule.ts'
import type { NewMessage } from './messages.ts'
import type { DeliveryState, Settlement } from './notices.ts'
import type { Actor } from './scope.ts'

export interface AlertRows {
  /** Finds a rule of the organisation by its id. */
  rule(org: OrgId, id: number): Promise<AlertRule | null>
  /** Answers the default where nobody set any. */
  quietHours(org: OrgId): Promise<QuietHours>
  /** Has whoever evaluates rules read them anew. */
  noteChange(): Promise<void>
  /** Forgets what was counted for a rule. */
  forgetCounts(id: number): Promise<void>
  /** Ends what a rule told last; nobody hears that it is over. */
  endFiring(id: number, nowMs: number): Promise<void>
  /** Queues a message that says that it is a test to each receiver; answers how many. */
  queueTest(rule: AlertRule, actor: Actor): Promise<number>
  /** Queues messages outside of any firing. */
  queueMessages(messages: readonly NewMessage[], nowMs: number): Promise<void>
  /** Queues a message again under a new key, as it was. False for one that is not there, or still on its way. */
  sendAgain(org: OrgId, id: number, nowMs: number): Promise<boolean>
  /** Reads what messages show of an issue, which must be there. */
  toldIssue(id: IssueId): Promise<AlertIssue>
  /** Finds deliveries to the project's webhook that wait or are under way. */
  webhookCalls(project: ProjectId): Promise<readonly { readonly id: number; readonly state: DeliveryState }[]>
  /** Counts tests of the project in a time, and those of anybody that are not settled in another. */
  testsOf(
    project: ProjectId,
    times: { readonly minute: Time; readonly underWay: Time },
  ): Promise<{ readonly ofMinute: number; readonly underWay: number }>
  /** Settles a delivery as its loop does. False, and nothing changed, when the lease is another's by now. */
  settleDelivery(
    delivery: { readonly id: number; readonly lease: string },
    settlement: Settlement,
    nowMs: number,
  ): Promise<boolean>
}

/** After the one, up to and with the other. */
interface Time {
  readonly afterMs: number
  readonly untilMs: number
}
