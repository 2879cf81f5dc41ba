/** Changes of an organisation's own identity provider, and of the email domains that count for it. */
import { ok, refuse } from '#base/result.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import { NO_PROVIDER, PROVIDER_REFUSALS } from '#model/provider-rules.ts'
import { SIGN_IN_DOMAINS, SIGN_IN_PROVIDERS } from '#model/tables/single-sign-on.ts'
import type { Tx } from '#ports/control.ts'
import type { SeenSettings } from '#ports/projects.ts'
import type { ProviderKind, SignInProvider } from '#ports/single-sign-on.ts'
import { isProvedBy, recordName } from '#sign-in/domain-proof.ts'
import { refuseUnconfirmed } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { type By, preparedCommand } from './command.ts'
import type { CommandParts } from './parts.ts'
import { PROVIDER } from './provider-schema.ts'
import { readInput } from './schemas.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

type NewProvider = SignInProvider & {
  /** `null`: the one that is kept; refused where there is none, or the issuer is another. */
  readonly clientSecret: string | null
  /** Values that the form showed; `issuer` is `null` where there was no such method. */
  readonly seen?: SeenSettings | undefined
}
type SetProvider = NewProvider & {
  /** Token that DNS records of new domains must hold. */
  readonly domainToken: string
}

const DOMAIN_TOKEN_BYTES = 16

export const saveProvider = preparedCommand({
  permission: 'provider.write',
  input: ({ seen, ...given }: NewProvider) => {
    const checked = readInput(PROVIDER, given)
    return checked.ok ? ok({ ...checked.value, seen }) : checked
  },
  prepare: async (
    parts: Pick<CommandParts, 'singleSignOn' | 'clock' | 'random'>,
    asking,
    provider: NewProvider,
  ) => {
    const { issuer, isRequired, domains } = provider
    if (parts.singleSignOn?.calls.privateIssuers !== true && !issuer.startsWith('https:'))
      return refuse('invalid_input', 'The address must begin with https.', {
        issuer: ['It must begin with https.'],
      })
    if (isRequired && domains.length === 0) {
      const rule = 'Name the email domains whose members must use it.'
      return refuse('invalid_input', rule, { domains: [rule] })
    }
    // Whoever sets a provider says who can open accounts of the organisation from then on.
    const unconfirmed = refuseUnconfirmed(parts, asking)
    if (unconfirmed !== null) return unconfirmed
    return ok({ ...provider, domainToken: parts.random.hex(DOMAIN_TOKEN_BYTES) })
  },
  change: async (tx, provider: SetProvider, { scope: { orgId }, actor }) => {
    const { clientSecret, seen, domainToken, ...settings } = provider
    const { kind, name, issuer, isRequired, domains } = settings
    const kept = await keptProvider(tx, orgId, kind)
    const unseen = refuseUnseen(kept?.known ?? NO_PROVIDER, seen)
    if (unseen !== null) return unseen
    const secret = clientSecret ?? (kept?.known.issuer === issuer ? kept.secret : undefined)
    if (secret === undefined) return PROVIDER_REFUSALS.secretMissing()
    await tx.rows(SIGN_IN_PROVIDERS).merge([{ orgId, kind, settings, clientSecret: secret }])
    const known = new Set((await findDomains(tx, orgId, domains)).map(({ domain }) => domain))
    const named = new Set(domains.filter((domain) => !known.has(domain)))
    await tx.rows(SIGN_IN_DOMAINS).insert([...named].map((domain) => ({ orgId, domain, token: domainToken })))
    await writeAudit(tx, orgId, actor, {
      action: 'sign_in.changed',
      target: name,
      detail: { issuer, required: isRequired, secretReplaced: clientSecret !== null },
    })
    return ok(null)
  },
})

/** Sessions that providers of the organisation began end with it. */
export const removeProvider = preparedCommand({
  permission: 'provider.write',
  input: (kind: ProviderKind) => ok({ kind }),
  prepare: async (parts: Pick<CommandParts, 'clock'>, asking, given: { readonly kind: ProviderKind }) =>
    refuseUnconfirmed(parts, asking) ?? ok(given),
  change: async (tx, { kind }: { readonly kind: ProviderKind }, { scope: { orgId }, actor }) => {
    if ((await tx.rows(SIGN_IN_PROVIDERS).remove({ orgId, kind })) === 0)
      return PROVIDER_REFUSALS.noProvider()
    await tx.accounts.endProviderSessions(orgId)
    await writeAudit(tx, orgId, actor, { action: 'sign_in.removed', target: kind })
    return ok(null)
  },
})

/** Looks for the domain's DNS record; the domain counts once it was found. */
export const proveDomain = preparedCommand({
  permission: 'provider.write',
  input: (domain: string) => ok({ domain }),
  prepare: async (
    parts: Pick<CommandParts, 'singleSignOn' | 'signInLimits'>,
    { scope: { orgId: org }, address },
    { domain }: { readonly domain: string },
  ) => {
    const { singleSignOn } = parts
    const named = (await singleSignOn?.read.signInDomains(org))?.find((one) => one.domain === domain)
    if (singleSignOn === undefined || named === undefined) return PROVIDER_REFUSALS.noDomain()
    const attempt = parts.signInLimits.attempt(address, `domains of ${org}`)
    if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
    const name = recordName(domain)
    const texts = await singleSignOn.lookUpTexts(name).catch(() => null)
    if (texts === null) return refuse('conflict', `DNS didn’t answer for ${name}. Try again.`)
    if (!isProvedBy(texts, named.token))
      return refuse(
        'conflict',
        `No TXT record with this text was found at ${name}. New records can take an hour.`,
      )
    attempt.succeeded()
    return ok({ domain })
  },
  change: async (tx, { domain }: { readonly domain: string }, { scope: { orgId }, actor }) => {
    const proved = { provedMs: actor.atMs, missingMs: null, toldMs: null }
    if ((await tx.rows(SIGN_IN_DOMAINS).change({ orgId, domain }, proved)) === 0)
      return PROVIDER_REFUSALS.noDomain()
    await writeAudit(tx, orgId, actor, { action: 'sign_in.domain_proved', target: domain })
    return ok(null)
  },
})

/** Reads a provider as forms show it, and its secret. */
async function keptProvider(tx: Tx, orgId: By['scope']['orgId'], kind: ProviderKind) {
  const row = await tx.rows(SIGN_IN_PROVIDERS).one({ orgId, kind })
  if (row === null) return null
  const { settings, clientSecret: secret } = row
  const domains = await findDomains(tx, orgId, settings.domains)
  const proved = settings.domains.filter((domain) =>
    domains.some((one) => one.domain === domain && one.provedMs !== null),
  )
  return { known: { ...settings, proved }, secret }
}

function findDomains(tx: Tx, orgId: By['scope']['orgId'], domain: readonly string[]) {
  return tx.rows(SIGN_IN_DOMAINS).find({ orgId, domain }, domain.length)
}
