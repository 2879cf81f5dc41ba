/** People and who belongs where, as a transaction that changes some asks for them. */
import type { OrgId, SessionId, UserId } from '#base/ids.ts'
import type { Invitation } from './accounts.ts'
import type { InboxMark } from './inbox.ts'

export interface AccountRows {
  /** Counts members, open invitations to other addresses, and those of them that one person sent. */
  membersAndInvited(
    org: OrgId,
    besides: { readonly emailFolded: string; readonly by: number | null; readonly nowMs: number },
  ): Promise<{ readonly members: number; readonly invited: number; readonly own: number }>
  /** Finds an invitation by the code that was shown, or the one that was emailed. */
  invitation(codeHash: string): Promise<Invitation | null>
  /** Counts emails of links that wait: `null`, of people's own accounts; else invitations of all, and of the organisation. */
  lettersWaiting(org: OrgId | null): Promise<{ readonly ofKind: number; readonly ofOrganisation: number }>
  /** Takes the person out of every team of the organisation. */
  leaveTeams(org: OrgId, user: UserId): Promise<void>
  /** Removes everything that let the person act in the organisation, or stands there in their name. */
  leave(org: OrgId, user: UserId): Promise<void>
  /** Ends every session of the person but one. */
  endSessions(user: UserId, but: SessionId | null): Promise<void>
  /** Ends every session that a provider of the organisation began. */
  endProviderSessions(org: OrgId): Promise<void>
  /** False until the first owner exists. */
  hasOwner(): Promise<boolean>
  /** Counts organisations, without Errata's own. */
  countOrganisations(): Promise<number>
  /** Forgets agents' clients that are as old, each by whether somebody connected it, and have no connection. */
  forgetAgentClients(old: {
    readonly nowMs: number
    readonly registeredBefore: number
    readonly connectedBefore: number
  }): Promise<void>
  /** Counts clients that somebody connected, and those that wait for it. */
  countAgentClients(): Promise<{ readonly connected: number; readonly waiting: number }>
  keepNewestWaitingClients(most: number): Promise<void>
  /** Revokes every token of the person, of whatever organisation; answers how many. */
  revokeTokens(user: UserId): Promise<number>
  /** Marks entries of the person's inbox; answers how many changed. */
  markInbox(mark: InboxMark, nowMs: number): Promise<number>
}
