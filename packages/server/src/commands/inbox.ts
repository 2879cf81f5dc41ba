/** Commands of people about their inbox. */
import * as v from 'valibot'
import { everyScope } from '#access/access.ts'
import type { IssueId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { INBOX_KINDS } from '#model/inbox.ts'
import { EMAIL_OFF, QUIET_HOURS } from './alert-schemas.ts'
import { noAlerts } from './alerts.ts'
import { type Asking, actorOf, type PersonAsking, refusalOf, refuseForeignAccount } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import { readInput } from './schemas.ts'

interface InboxCommands {
  /** Marks entries of whoever asks, and returns how many that changed. */
  markInbox(
    asking: PersonAsking,
    mark: {
      readonly entries: { readonly ids: readonly number[] } | { readonly upTo: number }
      readonly isRead: boolean
    },
  ): Promise<Result<number>>
  /** The same within one organisation, by the web API. */
  markInboxIn(asking: Asking, mark: Parameters<InboxCommands['markInbox']>[1]): Promise<Result<number>>
  /** Kinds that are entered no more. */
  setInboxOff(asking: PersonAsking, change: unknown): Promise<Result<null>>
  /** Moments of alert rules that whoever asks is not emailed about. */
  setEmailMomentsOff(asking: PersonAsking, moments: unknown): Promise<Result<null>>
  /** When whoever asks is not emailed. Critical alerts always are. */
  setOwnQuietHours(asking: PersonAsking, hours: unknown): Promise<Result<null>>
  /** Whoever asks is told of the issue again. */
  unmuteIssue(asking: PersonAsking, issue: IssueId): Promise<Result<null>>
}

type Parts = Pick<CommandParts, 'clock' | 'alerts' | 'alertRules'> & {
  readonly changes: Changes
}

const INBOX_OFF = v.strictObject({ off: v.array(v.picklist(INBOX_KINDS, 'One of the kinds of entries.')) })

export function inboxCommands(parts: Parts): InboxCommands {
  return {
    markInbox: async ({ viewer }, { entries, isRead }) => {
      const orgs = everyScope(viewer).map(({ orgId }) => orgId)
      const which = 'ids' in entries ? { ids: entries.ids.slice(0, max('inboxEntriesMax')) } : entries
      const mark = { user: viewer.user.id, orgs, entries: which, isRead }
      return ok(await parts.changes.own('markInbox', { ...mark, nowMs: parts.clock.now() }))
    },
    markInboxIn: async (asking, { entries, isRead }) => {
      const refusal = refusalOf(asking, 'search.write')
      if (refusal !== null) return refusal
      const { userId, orgId } = asking.scope
      // A token of the organisation is nobody: nothing concerns it.
      if (userId === undefined) return ok(0)
      const which = 'ids' in entries ? { ids: entries.ids.slice(0, max('inboxEntriesMax')) } : entries
      const mark = { user: userId, orgs: [orgId], entries: which, isRead }
      return ok(await parts.changes.own('markInbox', { ...mark, nowMs: parts.clock.now() }))
    },
    setInboxOff: async (asking, change) => {
      const refusal = refuseForeignAccount(asking.viewer)
      if (refusal !== null) return refusal
      const checked = readInput(INBOX_OFF, change)
      if (!checked.ok) return checked
      const { off } = checked.value
      await parts.changes.own('setInboxOff', {
        user: asking.viewer.user.id,
        off,
        actor: actorOf(parts, asking),
      })
      return ok(null)
    },
    setEmailMomentsOff: async (asking, moments) => {
      const refusal = refuseForeignAccount(asking.viewer)
      if (refusal !== null) return refusal
      if (parts.alertRules === undefined) return noAlerts()
      const checked = readInput(EMAIL_OFF, moments)
      if (!checked.ok) return checked
      const off = [...new Set(checked.value.off)]
      const own = { user: asking.viewer.user.id, off, actor: actorOf(parts, asking) }
      await parts.changes.own('setEmailMomentsOff', own)
      return ok(null)
    },
    setOwnQuietHours: async (asking, hours) => {
      const refusal = refuseForeignAccount(asking.viewer)
      if (refusal !== null) return refusal
      const checked = readInput(QUIET_HOURS, hours)
      if (!checked.ok) return checked
      const { user } = asking.viewer
      const own = { user: user.id, hours: checked.value, actor: actorOf(parts, asking) }
      await parts.changes.own('setPersonQuietHours', own)
      // What waited may be due now.
      parts.alerts?.wake()
      return ok(null)
    },
    unmuteIssue: async ({ viewer }, issue) => {
      await parts.changes.own('unmuteIssue', { user: viewer.user.id, issue })
      return ok(null)
    },
  }
}
