/** Sign-in with an organisation's own identity provider: setting it up, going there, and coming back. */
import { newSecret, secretHash } from '#access/secrets.ts'
import type { PersonViewer } from '#access/viewer.ts'
import { orgId, type UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { PROVIDER_REFUSALS } from '#model/provider-rules.ts'
import type { Organisation } from '#ports/accounts.ts'
import type { KnownProvider, SignInProvider } from '#ports/single-sign-on.ts'
import { mayJoin, type Named, roleOfGroups } from '#sign-in/claims.ts'
import type { Flow, Unjoined } from '#sign-in/flow.ts'
import { githubAddress, githubNamed } from '#sign-in/github.ts'
import { type Credentials, oidcAddress, oidcNamed, oidcSignOut } from '#sign-in/oidc.ts'
import { ProviderError } from '#sign-in/provider-error.ts'
import { actorOf, type PersonAsking, type RequestFacts, refuseUnconfirmed, unnamedActor } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import type { SignedIn } from './sessions.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

interface SingleSignOnCommands {
  /** Returns where the browser goes, and what it keeps until it comes back. */
  beginProviderSignIn(facts: RequestFacts, wanted: Wanted & { readonly next: string }): Promise<Result<Begun>>
  /**
   * Begins as `beginProviderSignIn`, for people signed in by it: they sign in there again, and come back to
   * `next`.
   */
  beginProviderConfirm(asking: PersonAsking, next: string): Promise<Result<Begun>>
  /**
   * `signedIn` null: the session that was there is confirmed, or whoever has the account is asked first, at `next`.
   */
  finishProviderSignIn(
    facts: RequestFacts & { readonly viewer?: PersonViewer | null },
    back: ComingBack,
  ): Promise<Result<{ readonly signedIn: SignedIn | null; readonly next: string }>>
  /**
   * Returns what a ticket of `finishProviderSignIn` asks, for the page that it leads to; `null` once it is
   * too old.
   */
  unjoinedAccount(ticket: string): Promise<UnjoinedAccount | null>
  /** Whoever is signed in to the account by themselves says that it is theirs. */
  joinAccount(
    asking: PersonAsking,
    ticket: string,
  ): Promise<Result<{ readonly signedIn: SignedIn; readonly next: string }>>
  /** Returns where signing out of the provider begins; `null` if it has no such place. */
  providerSignOut(wanted: Wanted): Promise<Result<string | null>>
}

/** Address for the browser, and what it keeps. */
interface Begun {
  readonly address: string
  readonly kept: string
}

/** A provider named an account by its address, and nobody said yet that it is theirs. */
export interface UnjoinedAccount {
  readonly email: string
  readonly userId: UserId
  readonly organisation: string
  readonly provider: string
}

interface Wanted {
  /** Slug. */
  readonly organisation: string
  readonly kind: string
}

interface ComingBack {
  /** Organisation in the address that the provider came back to: nobody's answer is taken for another's. */
  readonly orgId: string
  readonly kind: string
  /** State as `beginProviderSignIn` gave it. */
  readonly kept: string | null
  /** With its `?`. */
  readonly query: string
}

type Parts = Pick<
  CommandParts,
  'accounts' | 'clock' | 'random' | 'publicAddress' | 'signInLimits' | 'singleSignOn'
> & { readonly changes: Changes }
type SignOn = NonNullable<CommandParts['singleSignOn']>

const DAY_SECONDS = 86_400

export function singleSignOnCommands(parts: Parts): SingleSignOnCommands {
  return {
    unjoinedAccount: (ticket) => unjoinedAccount(parts, ticket),
    joinAccount: (asking, ticket) => joinAccount(parts, asking, ticket),
    beginProviderSignIn: async (facts, { organisation, kind, next }) => {
      const found = await findProvider(parts, ({ slug }) => slug === organisation, kind)
      return found === null ? PROVIDER_REFUSALS.noProvider() : begin(parts, facts, { found, next })
    },
    beginProviderConfirm: (asking, next) => beginConfirm(parts, asking, next),
    finishProviderSignIn: (facts, back) => finish(parts, facts, back),
    providerSignOut: (wanted) => signOut(parts, wanted),
  }
}

function signOn({ singleSignOn }: Parts): SignOn {
  if (singleSignOn === undefined) throw new Error('the command line signs nobody in')
  return singleSignOn
}

interface Found {
  readonly organisation: Organisation
  readonly given: Credentials & { readonly provider: KnownProvider }
}

async function findProvider(
  parts: Parts,
  isMeant: (organisation: Organisation) => boolean,
  kind: string,
): Promise<Found | null> {
  const organisation = (await parts.accounts.organisations()).find(isMeant)
  if (organisation === undefined) return null
  const { read: reads } = signOn(parts)
  const provider = (await reads.signInProviders(organisation.id)).find((one) => one.kind === kind)
  if (provider === undefined) return null
  const clientSecret = await reads.clientSecret(organisation.id, provider.kind)
  return clientSecret === null ? null : { organisation, given: { provider, clientSecret } }
}

function callbackOf({ publicAddress }: Parts, { organisation, given }: Found): string {
  return publicAddress.link(`/sign-in/back/${organisation.id}/${given.provider.kind}`)
}

/** Begins a sign-in. Asking for the page alone calls a provider, so it is bounded like wrong passwords. */
async function begin(
  parts: Parts,
  facts: RequestFacts,
  { found, ...wanted }: { readonly found: Found; readonly next: string; readonly confirms?: number },
): Promise<Result<Begun>> {
  const attempt = parts.signInLimits.attempt(facts.address, `provider ${facts.address}`)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  const { provider } = found.given
  const [state, nonce, verifier] = [newSecret(parts.random), newSecret(parts.random), newSecret(parts.random)]
  const callback = callbackOf(parts, found)
  const { calls, seal } = signOn(parts)
  return askProvider(provider, async () => {
    const address =
      provider.kind === 'github'
        ? githubAddress(found.given, { state, verifier, callback })
        : await oidcAddress(calls, found.given, {
            ...{ state, nonce, verifier, callback },
            isFresh: wanted.confirms !== undefined,
          })
    attempt.succeeded()
    const expiresMs = parts.clock.now() + max('signInFlowMs')
    const flow = {
      orgId: found.organisation.id,
      kind: provider.kind,
      state,
      nonce,
      verifier,
      ...wanted,
      expiresMs,
    }
    return ok({ address, kept: seal.seal(flow) })
  })
}

/** GitHub does not say when somebody signed in there: nothing is proved by it. */
async function beginConfirm(parts: Parts, asking: PersonAsking, next: string): Promise<Result<Begun>> {
  const { session } = asking.viewer
  const found = await findProvider(parts, ({ id }) => id === session.orgId, 'oidc')
  if (found === null)
    return refuse('not_found', 'This session did not begin at a provider that can confirm it.')
  return begin(parts, asking, { found, next, confirms: session.id })
}

/** The same person, in the session that asked. */
async function confirm(
  parts: Parts,
  facts: RequestFacts & { readonly viewer?: PersonViewer | null },
  { found, flow, named }: { readonly found: Found; readonly flow: Flow; readonly named: Named },
): Promise<Result<null>> {
  const { viewer = null } = facts
  if (viewer === null || viewer.session.id !== flow.confirms)
    return refuse('link_expired', 'Your session has ended. Sign in again.')
  const { read: reads } = signOn(parts)
  const { issuer } = found.given.provider
  const who = await reads.identity({ orgId: found.organisation.id, issuer, subject: named.subject })
  if (who !== viewer.user.id)
    return refuse(
      'sign_in_failed',
      `${found.given.provider.name} signed in someone else. Sign in there as ${viewer.user.email}.`,
    )
  const actor = actorOf(parts, { ...facts, viewer })
  await parts.changes.own('confirmSession', { user: viewer.user.id, id: viewer.session.id, actor })
  return ok(null)
}

async function finish(
  parts: Parts,
  facts: RequestFacts & { readonly viewer?: PersonViewer | null },
  back: ComingBack,
): ReturnType<SingleSignOnCommands['finishProviderSignIn']> {
  const { seal } = signOn(parts)
  const flow = seal.open(back.kept, parts.clock.now())
  if (flow === null || String(flow.orgId) !== back.orgId || flow.kind !== back.kind)
    return refuse('link_expired', 'This sign-in took too long or began in another browser. Sign in again.')
  const id = orgId(flow.orgId)
  const found = await findProvider(parts, (one) => one.id === id, flow.kind)
  if (found === null) return PROVIDER_REFUSALS.noProvider()
  const { provider } = found.given
  return askProvider(provider, async (): Promise<Result<{ signedIn: SignedIn | null; next: string }>> => {
    const named = await namedAt(parts, found, { flow, query: back.query })
    if (flow.confirms !== undefined) {
      const confirmed = await confirm(parts, facts, { found, flow, named })
      return confirmed.ok ? ok({ signedIn: null, next: flow.next }) : confirmed
    }
    const arrived = await arriveByProvider(parts, facts, { found, named })
    if (arrived.ok) return ok({ signedIn: arrived.value, next: flow.next })
    if (arrived.code !== 'account_unjoined') return arrived
    return ok({ signedIn: null, next: await joiningAddress(parts, flow, { named, provider }) })
  })
}

async function arriveByProvider(
  parts: Parts,
  facts: RequestFacts,
  given: { readonly found: Found; readonly named: Named; readonly confirmedBy?: UserId },
): Promise<Result<SignedIn>> {
  const { found, named, ...confirmed } = given
  const { provider } = found.given
  const { id } = found.organisation
  const cookie = newSecret(parts.random)
  const { subject, email, name } = named
  const arrival = {
    ...{ orgId: id, issuer: provider.issuer, subject, email, name, mayJoin: mayJoin(provider, email) },
    role: roleOfGroups(provider, named.groups, await parts.accounts.roleDefault(id)),
    setsRole: provider.roleClaim !== '' || (provider.kind === 'github' && provider.roles.length > 0),
    session: { tokenHash: secretHash(cookie), userAgent: facts.userAgent?.slice(0, 300) ?? null },
    ...confirmed,
  }
  const actor = { ...unnamedActor(parts, facts), label: provider.name }
  const arrived = await parts.changes.own('arrive', { arrival, actor })
  if (!arrived.ok) return arrived
  return ok({ cookie, userId: arrived.value, maxAgeSeconds: max('sessionDays') * DAY_SECONDS })
}

/**
 * Returns the page where the account's owner is asked. What the provider said comes back from there sealed.
 */
async function joiningAddress(
  parts: Parts,
  flow: Flow,
  { named, provider }: { readonly named: Named; readonly provider: SignInProvider },
): Promise<string> {
  const user = await parts.accounts.userByEmail(named.email)
  if (user === null) throw new Error('an account that was found is gone')
  const { orgId: org, kind, next } = flow
  const expiresMs = parts.clock.now() + max('accountJoinMs')
  const known = {
    ...named,
    groups: named.groups.filter((each) => provider.roles.some(({ value }) => value === each)),
  }
  const ticket = signOn(parts).seal.sealUnjoined({
    ...{ orgId: org, kind, named: known, next, userId: user.id, expiresMs },
  })
  return `/join-account?ticket=${ticket}`
}

interface Asked extends Unjoined {
  readonly found: Found
}

async function openSignOnTicket(parts: Parts, ticket: string): Promise<Asked | null> {
  const unjoined = signOn(parts).seal.openUnjoined(ticket, parts.clock.now())
  if (unjoined === null) return null
  const found = await findProvider(parts, ({ id }) => id === unjoined.orgId, unjoined.kind)
  return found === null ? null : { ...unjoined, found }
}

async function unjoinedAccount(parts: Parts, ticket: string): Promise<UnjoinedAccount | null> {
  const asked = await openSignOnTicket(parts, ticket)
  if (asked === null) return null
  const { found, named, userId } = asked
  return {
    ...{ email: named.email, userId },
    organisation: found.organisation.name,
    provider: found.given.provider.name,
  }
}

/** Only a session that somebody began by themselves counts: another provider's proves no more than this one's. */
async function joinAccount(
  parts: Parts,
  asking: PersonAsking,
  ticket: string,
): ReturnType<SingleSignOnCommands['joinAccount']> {
  const asked = await openSignOnTicket(parts, ticket)
  if (asked === null) return refuse('link_expired', 'This sign-in took too long. Start again.')
  const { user, session } = asking.viewer
  if (user.id !== asked.userId || session.orgId !== undefined)
    return refuse('forbidden', `Sign in as ${asked.named.email} with your own password or passkey first.`)
  const refusal = refuseUnconfirmed(parts, asking)
  if (refusal !== null) return refusal
  const { found, named, next } = asked
  const arrived = await arriveByProvider(parts, asking, { found, named, confirmedBy: user.id })
  return arrived.ok ? ok({ signedIn: arrived.value, next }) : arrived
}

function namedAt(
  parts: Parts,
  found: Found,
  { flow, query }: { readonly flow: Flow; readonly query: string },
): Promise<Named> {
  const { calls } = signOn(parts)
  const sinceMs = flow.confirms === undefined ? null : flow.expiresMs - max('signInFlowMs')
  const begun = { ...flow, callback: callbackOf(parts, found), query, sinceMs }
  return found.given.provider.kind === 'github'
    ? githubNamed(calls, found.given, begun)
    : oidcNamed(calls, found.given, begun)
}

async function signOut(parts: Parts, { organisation, kind }: Wanted): Promise<Result<string | null>> {
  const found = await findProvider(parts, ({ slug }) => slug === organisation, kind)
  if (found === null) return PROVIDER_REFUSALS.noProvider()
  if (found.given.provider.kind === 'github') return ok(null)
  const back = parts.publicAddress.link('/sign-in')
  return askProvider(found.given.provider, async () =>
    ok(await oidcSignOut(signOn(parts).calls, found.given, back)),
  )
}

/** Calls a provider; its failures become a refusal that names it. */
async function askProvider<T>({ name }: SignInProvider, run: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof ProviderError) return refuseProvider(name, cause)
    throw cause
  }
}

function refuseProvider(name: string, { message }: ProviderError): Refusal {
  return refuse('provider_failed', `${name} didn’t sign you in. ${message}`)
}
