/** Alert rules, as a transaction that changes some asks for them. */
import type { OrgId } from '#base/ids.ts'
import type { AlertRule, QuietHours } from '#model/alert-rule.ts'
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
}
