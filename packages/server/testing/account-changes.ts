/** Changes of accounts, as those do it who have found out whose they are. */
import type { OrgId, ProjectId, Seq, SessionId, TokenId, UserId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import { createChanges } from '#commands/changes.ts'
import type { OwnGiven } from '#commands/own-changes.ts'
import type { PreparedOf } from '#commands/table.ts'
import { agentCallNote, auditExportNote, type ExportNoted } from '#model/account-rules.ts'
import type { AgentCall } from '#model/agent-call.ts'
import type { QuietHours } from '#model/alert-rule.ts'
import type { ArtifactQuota } from '#model/artifact-quota.ts'
import type { AuditNote } from '#ports/accounts.ts'
import type { AgentClient, AgentRefresh, NewAgentConnection } from '#ports/agent-clients.ts'
import type { PersonDeletion } from '#ports/care.ts'
import type { Control } from '#ports/control.ts'
import type { InboxMark } from '#ports/inbox.ts'
import type { Actor, IssueChange } from '#ports/scope.ts'
import type { NewPasskey } from '#ports/second-factors.ts'
import type { NamedArrival, ProviderKind, ProvisionedChange } from '#ports/single-sign-on.ts'
import { anActor } from './builders/actor.ts'
import { scopeForTest } from './builders/scope.ts'
import { changesOf } from './changes.ts'

export type AccountChanges = ReturnType<typeof accountChanges>

export function accountChanges(control: Control) {
  return {
    ...sessionChanges(control),
    ...passwordChanges(control),
    ...factorChanges(control),
    ...providerChanges(control),
    ...organisationChanges(control),
    ...tokenChanges(control),
    ...agentChanges(control),
    ...noticeChanges(control),
  }
}

function sessionChanges(control: Control) {
  const { own } = createChanges(control)
  return {
    createSession: (
      user: UserId,
      tokenHash: string,
      userAgent: string | null,
      actor: Actor,
    ): Promise<SessionId> => own('createSession', { user, tokenHash, userAgent, actor }),
    touchSession: (id: SessionId, nowMs: number) => own('noteUse', { of: 'session', id, nowMs }),
    touchToken: (id: TokenId, nowMs: number) => own('noteUse', { of: 'token', id, nowMs }),
    endSession: (id: SessionId, user: UserId, actor: Actor) => own('endSession', { id, user, actor }),
    confirmSession: (id: SessionId, user: UserId, actor: Actor) => own('confirmSession', { id, user, actor }),
    recordSignInFailure: (email: string, actor: Actor) => own('recordSignInFailure', { email, actor }),
    noteDevice: (user: UserId, name: string, nowMs: number) => own('noteDevice', { user, name, nowMs }),
  }
}

function passwordChanges(control: Control) {
  const { own } = createChanges(control)
  return {
    setPassword: (user: UserId, passwordHash: string, keep: SessionId | null, actor: Actor) =>
      own('setPassword', { user, passwordHash, keep, actor }),
    createPasswordReset: (user: UserId, codeHash: string, expiresMs: number, actor: Actor) =>
      own('createPasswordReset', { user, codeHash, expiresMs, actor }),
    usePasswordReset: (codeHash: string, passwordHash: string, actor: Actor) =>
      own('usePasswordReset', { codeHash, passwordHash, actor }),
    setProfile: (user: UserId, change: OwnGiven<'setProfile'>['change'], actor: Actor) =>
      own('setProfile', { user, change, actor }),
  }
}

function factorChanges(control: Control) {
  const { own } = createChanges(control)
  const change = changesOf(control)
  return {
    addPasskey: (passkey: NewPasskey, codeHashes: readonly string[], actor: Actor) =>
      own('addPasskey', { passkey, codeHashes, actor }),
    notePasskeyUse: (id: number, counter: number, nowMs: number) =>
      own('notePasskeyUse', { id, counter, nowMs }),
    renamePasskey: (user: UserId, passkey: { readonly id: number; readonly name: string }, actor: Actor) =>
      own('renamePasskey', { user, ...passkey, actor }),
    removePasskey: (user: UserId, id: number, actor: Actor) => own('removePasskey', { user, id, actor }),
    beginAuthenticator: (user: UserId, sealedSecret: string) =>
      own('beginAuthenticator', { user, sealedSecret }),
    confirmAuthenticator: (
      user: UserId,
      given: { readonly step: number; readonly codeHashes: readonly string[] },
      actor: Actor,
    ) => own('confirmAuthenticator', { user, ...given, actor }),
    useAuthenticatorStep: (user: UserId, step: number) => own('useAuthenticatorStep', { user, step }),
    removeAuthenticator: (user: UserId, actor: Actor) => own('removeAuthenticator', { user, actor }),
    setRecoveryCodes: (user: UserId, codeHashes: readonly string[], actor: Actor) =>
      own('setRecoveryCodes', { user, codeHashes, actor }),
    useRecoveryCode: (user: UserId, codeHash: string, actor: Actor) =>
      own('useRecoveryCode', { user, codeHash, actor }),
    removeSecondFactors: (user: UserId, actor: Actor) => own('removeSecondFactors', { user, actor }),
    requireSecondFactor: (orgId: OrgId, isRequired: boolean, actor: Actor) =>
      change('requireSecondFactor', { isRequired }, { scope: scopeForTest({ orgId, projects: [] }), actor }),
  }
}

function providerChanges(control: Control) {
  const { own } = createChanges(control)
  const change = changesOf(control)
  const by = (orgId: OrgId, actor: Actor) => ({ scope: scopeForTest({ orgId, projects: [] }), actor })
  return {
    setSignInProvider: (org: OrgId, provider: PreparedOf<'saveProvider'>, actor: Actor) =>
      change('saveProvider', provider, by(org, actor)),
    removeSignInProvider: (org: OrgId, kind: ProviderKind, actor: Actor) =>
      change('removeProvider', { kind }, by(org, actor)),
    proveDomain: (org: OrgId, domain: string, actor: Actor) =>
      change('proveDomain', { domain }, by(org, actor)),
    arrive: (arrival: NamedArrival, actor: Actor) => own('arrive', { arrival, actor }),
    putDirectoryUser: ({ orgId, ...put }: ProvisionedChange, actor: Actor) =>
      change('putDirectoryUser', put, by(orgId, actor)),
    removeDirectoryUser: (org: OrgId, user: UserId, actor: Actor) =>
      change('removeDirectoryUser', { user }, by(org, actor)),
  }
}

function organisationChanges(control: Control) {
  const { own } = createChanges(control)
  const change = changesOf(control)
  return {
    createFirstOwner: (owner: OwnGiven<'createFirstOwner'>['owner'], actor: Actor) =>
      own('createFirstOwner', { owner, actor }),
    createOrganisation: (slug: string, name: string, owner: UserId, actor: Actor) =>
      own('createOrganisation', { slug, name, owner, actor }),
    setPublicUrl: (url: string, user: UserId, actor: Actor) => own('setPublicUrl', { url, user, actor }),
    setArtifactQuota: (orgId: OrgId, quota: ArtifactQuota | null, actor: Actor) =>
      change('setArtifactQuota', { quota }, { scope: scopeForTest({ orgId, projects: [] }), actor }),
    createReset: (letter: OwnGiven<'createReset'>['letter'], actor: Actor) =>
      own('createReset', { letter, actor }),
    createDeviceLetter: (letter: OwnGiven<'createDeviceLetter'>['letter'], actor: Actor) =>
      own('createDeviceLetter', { letter, actor }),
  }
}

function tokenChanges(control: Control) {
  const { own } = createChanges(control)
  return {
    createToken: (
      {
        address = null,
        ...token
      }: Omit<OwnGiven<'createToken'>['token'], 'address'> & { address?: string | null },
      actor: Actor,
    ) => own('createToken', { token: { ...token, address }, actor }),
    revokeToken: (orgId: OrgId, id: TokenId, actor: Actor) => own('revokeToken', { orgId, id, actor }),
    noteAgentCall: (orgId: OrgId, call: AgentCall, actor: Actor) =>
      own('noteAudit', { orgId, note: agentCallNote(call), actor }),
    noteAudit: (orgId: OrgId, note: AuditNote, actor: Actor) => own('noteAudit', { orgId, note, actor }),
    noteQuarantineDownload: (seq: Seq, actor: Actor) => own('noteQuarantineDownload', { seq, actor }),
    noteAuditExport: (orgId: OrgId, exported: ExportNoted, actor: Actor) =>
      own('noteAudit', { orgId, note: auditExportNote(exported), actor }),
  }
}

function agentChanges(control: Control) {
  const { own } = createChanges(control)
  return {
    registerAgentClient: (client: AgentClient) => own('registerAgentClient', client),
    connectAgent: (connection: NewAgentConnection, actor: Actor) =>
      own('connectAgent', { connection, actor }),
    refreshAgent: (refresh: AgentRefresh, actor: Actor) => own('refreshAgent', { refresh, actor }),
    revokeAgentToken: (revoked: Omit<OwnGiven<'revokeAgentToken'>, 'actor'>, actor: Actor) =>
      own('revokeAgentToken', { ...revoked, actor }),
    disconnectAgent: (user: UserId, id: TokenId, actor: Actor) => own('disconnectAgent', { user, id, actor }),
  }
}

function noticeChanges(control: Control) {
  const { own } = createChanges(control)
  const change = changesOf(control)
  const by = (orgId: OrgId, actor: Actor) => ({ scope: scopeForTest({ orgId, projects: [] }), actor })
  return {
    setNotices: (
      org: OrgId,
      project: ProjectId,
      { seen, ...given }: PreparedOf<'setNotices'>['change'] & Pick<PreparedOf<'setNotices'>, 'seen'>,
      actor: Actor,
    ) => change('setNotices', { project, change: given, seen }, by(org, actor)),
    setWebhook: async (
      org: OrgId,
      project: ProjectId,
      webhook: Omit<PreparedOf<'setWebhook'>, 'project'>,
      actor: Actor,
    ) => {
      const done = await change('setWebhook', { project, ...webhook }, by(org, actor))
      return done.ok ? ok(null) : done
    },
    removeWebhook: (org: OrgId, project: ProjectId, actor: Actor) =>
      change('removeWebhook', { project }, by(org, actor)),
    beginTest: (orgId: OrgId, project: ProjectId, test: OwnGiven<'beginTest'>['test'], actor: Actor) =>
      own('beginTest', { orgId, project, test, actor }),
    settleTest: (orgId: OrgId, project: ProjectId, test: OwnGiven<'settleTest'>['test'], actor: Actor) =>
      own('settleTest', { orgId, project, test, actor }),
    setNoticeMailOf: (user: UserId, mail: boolean, actor: Actor) =>
      own('setNoticeMail', { user, mail, actor }),
    sendIssue: (
      { issue, channelId: channel, note }: { issue: IssueChange; channelId: number; note: string },
      actor: Actor,
    ) => {
      const { orgId, projects, ids } = issue
      const [id] = ids
      if (id === undefined) throw new Error('no issue is sent')
      return change(
        'sendIssue',
        { issue: id, channel, note },
        { scope: scopeForTest({ orgId, projects }), actor },
      )
    },
    sendAgain: async (org: OrgId, id: number, nowMs: number) =>
      (await change('sendMessageAgain', { id }, by(org, anActor(nowMs)))).ok,
    markInbox: (mark: InboxMark, nowMs: number) => own('markInbox', { ...mark, nowMs }),
    setPersonQuietHours: (user: UserId, hours: QuietHours, actor: Actor) =>
      own('setPersonQuietHours', { user, hours, actor }),
    deletePerson: (deletion: PersonDeletion, actor: Actor) => own('deletePerson', { deletion, actor }),
  }
}
