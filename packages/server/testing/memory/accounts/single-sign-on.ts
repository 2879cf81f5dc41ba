/** Identity providers of organisations, and whom SCIM knows. */
import type { OrgId } from '#base/ids.ts'
import type { KnownProvider, SingleSignOnRead } from '#ports/single-sign-on.ts'
import { ascending } from '../order.ts'
import { membershipKey } from '../rows/members.ts'
import type { Tables } from '../tables.ts'

export function singleSignOnRead(of: Tables): SingleSignOnRead {
  return {
    signInProviders: async (org) => providersOf(of, org),
    signInDomains: async (org) =>
      of.signInDomains
        .where(({ orgId }) => orgId === org)
        .sort(ascending(({ domain }) => domain))
        .map(({ orgId: _, ...domain }) => domain),
    clientSecret: async (org, kind) => of.signInProviders.get(`${org}:${kind}`)?.clientSecret ?? null,
    identity: async ({ orgId, issuer, subject }) =>
      of.signInIdentities.get(`${orgId}:${issuer}:${subject}`)?.userId ?? null,
    directoryUsers: async ({ orgId: org }) =>
      of.users
        .all()
        .flatMap(({ id, email, name, createdMs }) => {
          const membership = of.memberships.get(membershipKey(org, id))
          const listed = of.directoryUsers.get(membershipKey(org, id))
          if (membership === undefined && listed === undefined) return []
          const times = { createdMs: membership?.joinedMs ?? createdMs }
          const waits = membership === undefined && listed?.isWaiting === true
          const isActive = membership !== undefined || (waits && listed.isActive)
          const { externalId = null, givenName = null } = listed ?? {}
          const state = { externalId, givenName, isActive }
          return [{ userId: id, email, name: waits ? listed.name : name, ...state, ...times }]
        })
        .sort(ascending(({ userId }) => userId)),
    directoryGroups: async ({ orgId: org }) =>
      of.teams
        .where(({ orgId }) => orgId === org)
        .sort(ascending(({ id }) => id))
        .flatMap(({ id }) => {
          const group = of.directoryGroups.get(id)
          return group === undefined ? [] : [{ teamId: id, externalId: group.externalId }]
        }),
  }
}

export function providersOf(of: Tables, org: OrgId): readonly KnownProvider[] {
  const isProved = (domain: string) => typeof of.signInDomains.get(`${org}:${domain}`)?.provedMs === 'number'
  return of.signInProviders
    .where(({ orgId }) => orgId === org)
    .sort(ascending(({ kind }) => kind))
    .map(({ orgId: _, clientSecret: __, ...provider }) => ({
      ...provider,
      proved: provider.domains.filter(isProved),
    }))
}
