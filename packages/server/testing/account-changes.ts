/** Changes of accounts, as those do it who have found out whose they are. */
import type { OrgId, SessionId, TokenId, UserId } from '#base/ids.ts'
import { createChanges } from '#commands/changes.ts'
import type { OwnGiven } from '#commands/own-changes.ts'
import type { PreparedOf } from '#commands/table.ts'
import type { Control } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import type { NewPasskey } from '#ports/second-factors.ts'
import type { Arrival, DirectoryChange, ProviderKind } from '#ports/single-sign-on.ts'
import { scopeForTest } from './builders/scope.ts'
import { changesOf } from './changes.ts'

export type AccountChanges = ReturnType<typeof accountChanges>

export function accountChanges(control: Control) {
  return {
    ...sessionChanges(control),
    ...passwordChanges(control),
    ...factorChanges(control),
    ...providerChanges(control),
  }
}

function sessionChanges(control: Control) {
  const { own } = createChanges(control)
  return {
    createSession: (user: UserId, tokenHash: string, userAgent: string | null, actor: Actor) =>
      own('createSession', { user, tokenHash, userAgent, actor }),
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
    arrive: (arrival: Arrival, actor: Actor) => own('arrive', { arrival, actor }),
    putDirectoryUser: ({ orgId, ...put }: DirectoryChange, actor: Actor) =>
      change('putDirectoryUser', put, by(orgId, actor)),
    removeDirectoryUser: (org: OrgId, user: UserId, actor: Actor) =>
      change('removeDirectoryUser', { user }, by(org, actor)),
  }
}
