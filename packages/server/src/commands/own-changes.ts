/**
 * Changes for which nobody's role is asked: of jobs, of late source maps, of what services say, of one's own account, and
 * of whoever signs in. They run by their names, each in one transaction, of which a refusal leaves nothing.
 */
import { whatFollowsReturningByTime } from '#issues/follows/reopening.ts'
import type { Tx } from '#ports/control.ts'
import type { Deleted } from '#ports/deletions.ts'
import type { GroupsToJoin } from '#ports/issues.ts'
import { createPasswordReset, setPassword, setProfile, usePasswordReset } from './account-changes.ts'
import {
  connectAgent,
  disconnectAgent,
  refreshAgent,
  registerAgentClient,
  revokeAgentToken,
} from './agent-changes.ts'
import { arrive } from './arrivals.ts'
import type { By } from './command.ts'
import { noteDomainCheck, provedDomains } from './domain-checks.ts'
import {
  markOwnInbox,
  setEmailMomentsOff,
  setInboxOff,
  setPersonQuietHours,
  unmuteIssue,
} from './email-choices.ts'
import {
  addPasskey,
  beginAuthenticator,
  confirmAuthenticator,
  notePasskeyUse,
  removeAuthenticator,
  removePasskey,
  removeSecondFactors,
  renamePasskey,
  setRecoveryCodes,
  useAuthenticatorStep,
  useRecoveryCode,
} from './factor-changes.ts'
import { createFirstOwner } from './first-owner.ts'
import { acceptInvitation } from './joining.ts'
import { createDeviceLetter, createReset } from './letter-changes.ts'
import { beginTest, setNoticeMail, settleTest } from './notice-changes.ts'
import { createOrganisation, setPublicUrl } from './organisation-changes.ts'
import { deletePerson } from './person-deletion.ts'
import { type PutRelease, putRelease } from './release-changes.ts'
import {
  confirmSession,
  createSession,
  endSession,
  noteDevice,
  noteUse,
  recordSignInFailure,
} from './session-changes.ts'
import { linkSlack, noteAnswer, unlinkSlack } from './slack-changes.ts'
import { createToken, noteAudit, noteQuarantineDownload, revokeToken } from './token-changes.ts'
import { settleTrackerWork, takeNews } from './tracker-news.ts'

const CHANGES = {
  /** Brings back what was archived until a time that has come; answers when the next one's comes, `null` if none waits. */
  async returnArchived(tx: Tx, { nowMs }: { readonly nowMs: number }) {
    const { ids, nextMs } = await tx.issues.dueToReturn(nowMs)
    await tx.issues.save(ids.map((id) => whatFollowsReturningByTime(id, nowMs)))
    return { issues: ids.length, nextMs }
  },
  /** Mirrors whose time is over become issues; answers as `returnArchived` does. */
  standAlone: (tx: Tx, { nowMs }: { readonly nowMs: number }) => tx.issues.standAlone(nowMs),
  /**
   * Both groups belong to one issue from now on, the older one where two own them, and it is called as it was written.
   * Doing it again changes nothing. An issue that was resolved before the younger one was last seen is open again.
   */
  joinGroups: (tx: Tx, { groups, atMs }: { readonly groups: GroupsToJoin; readonly atMs: number }) =>
    tx.issues.joinGroups(groups, atMs),
  ...{ createFirstOwner, createOrganisation, setPublicUrl },
  ...{ acceptInvitation, arrive },
  /** Says that uploads are of a release, which begins with them where it is not there. */
  noteRelease: (tx: Tx, { by, ...put }: PutRelease & { readonly by: By }) => putRelease(tx, put, by),
  ...{ createSession, noteUse, endSession, confirmSession, recordSignInFailure, noteDevice },
  ...{ setPassword, createPasswordReset, usePasswordReset, setProfile },
  ...{ addPasskey, notePasskeyUse, renamePasskey, removePasskey },
  ...{ beginAuthenticator, confirmAuthenticator, useAuthenticatorStep, removeAuthenticator },
  ...{ setRecoveryCodes, useRecoveryCode, removeSecondFactors },
  ...{ createReset, createDeviceLetter },
  ...{ createToken, revokeToken, noteAudit, noteQuarantineDownload },
  ...{ registerAgentClient, connectAgent, refreshAgent, revokeAgentToken, disconnectAgent },
  ...{ setEmailMomentsOff, setInboxOff, setPersonQuietHours, markInbox: markOwnInbox, unmuteIssue },
  ...{ beginTest, settleTest, setNoticeMail },
  ...{ deletePerson, provedDomains, noteDomainCheck },
  ...{ takeNews, settleTrackerWork },
  ...{ linkSlack, unlinkSlack, noteAnswer },
}

type Table = typeof CHANGES
export type OwnChange = keyof Table
export type OwnGiven<N extends OwnChange> = Parameters<Table[N]>[1]
export type OwnValue<N extends OwnChange> = Awaited<ReturnType<Table[N]>>
export type OwnWork<N extends OwnChange> = (tx: Tx, given: OwnGiven<N>) => Promise<OwnValue<N>>

/** Changes that delete what queries must hide from then on. */
export const OWN_HIDING: Partial<Record<OwnChange, Deleted>> = { deletePerson: 'people' }

export const OWN_CHANGES: { readonly [N in OwnChange]: OwnWork<N> } = CHANGES
