/** Changes of alert rules, and of what people are told, whose preparation found nothing wrong. */
import type { IssueId, OrgId, UserId } from '#base/ids.ts'
import { createChanges } from '#commands/changes.ts'
import type { CommandName, PreparedOf } from '#commands/table.ts'
import type { EmailMoment, QuietHours, RuleDraft, RuleMute } from '#model/alert-rule.ts'
import type { InboxKind } from '#model/inbox.ts'
import type { Control } from '#ports/control.ts'
import type { SeenSettings } from '#ports/projects.ts'
import type { Actor } from '#ports/scope.ts'
import { scopeForTest } from './builders/scope.ts'
import { changesOf } from './changes.ts'

export type AlertChanges = ReturnType<typeof alertChanges>

interface Seeing {
  readonly seen?: SeenSettings | undefined
}

export function alertChanges(control: Control) {
  const change = changesOf(control)
  const { own } = createChanges(control)
  const of = <N extends CommandName>(name: N, orgId: OrgId, prepared: PreparedOf<N>, actor: Actor) =>
    change(name, prepared, { scope: scopeForTest({ orgId, projects: [] }), actor })
  return {
    createRule: (org: OrgId, draft: RuleDraft, actor: Actor) => of('createRule', org, { draft }, actor),
    changeRule: (org: OrgId, rule: number, { seen, ...draft }: RuleDraft & Seeing, actor: Actor) =>
      of('changeRule', org, { rule, draft, seen }, actor),
    deleteRule: (org: OrgId, rule: number, actor: Actor) => of('deleteRule', org, { rule }, actor),
    muteRule: (org: OrgId, rule: number, mute: RuleMute | null, actor: Actor) =>
      of('muteRule', org, { rule, mute }, actor),
    testRule: (org: OrgId, rule: number, actor: Actor) => of('testRule', org, { rule }, actor),
    setQuietHours: (org: OrgId, { seen, ...hours }: QuietHours & Seeing, actor: Actor) =>
      of('setQuietHours', org, { hours, seen }, actor),
    setEmailMomentsOff: (user: UserId, off: readonly EmailMoment[], actor: Actor) =>
      own('setEmailMomentsOff', { user, off, actor }),
    setInboxOff: (user: UserId, off: readonly InboxKind[], actor: Actor) =>
      own('setInboxOff', { user, off, actor }),
    unmuteIssue: (user: UserId, issue: IssueId) => own('unmuteIssue', { user, issue }),
  }
}
