/** Sign-in with an organisation's own identity provider: setting it up, going there, and coming back. */
import { newSecret, secretHash } from '#access/secrets.ts'
import type { PersonViewer } from '#access/viewer.ts'
import { orgId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { PROVIDER_REFUSALS } from '#model/provider-rules.ts'
import type { Organisation } from '#ports/accounts.ts'
import type { SeenSettings } from '#ports/projects.ts'
import type { ProviderKind, SignInProvider } from '#ports/single-sign-on.ts'
import { mayJoin, type Named, roleOfGroups } from '#sign-in/claims.ts'
import type { Flow } from '#sign-in/flow.ts'
import { githubAddress, githubNamed } from '#sign-in/github.ts'
import { type Credentials, oidcAddress, oidcNamed, oidcSignOut } from '#sign-in/oidc.ts'
import { ProviderError } from '#sign-in/provider-error.ts'
import {
  type Asking,
  actorOf,
  type PersonAsking,
  type RequestFacts,
  refusalOf,
  unnamedActor,
} from './asking.ts'
import type { CommandParts } from './parts.ts'
import { PROVIDER } from './provider-schema.ts'
import { read } from './schemas.ts'
import { type SignedIn, tooManyAttempts } from './sessions.ts'

export interface SingleSignOnCommands {
  /** `clientSecret` null: the one that is kept. */
  saveProvider(asking: Asking, provider: NewProvider): Promise<Result<null>>
  removeProvider(asking: Asking, kind: ProviderKind): Promise<Result<null>>
  /** Where the browser goes, and what it keeps until it comes back. */
  beginProviderSignIn(facts: RequestFacts, wanted: Wanted & { readonly next: string }): Promise<Result<Begun>>
  /** As `beginProviderSignIn`, for whoever is signed in by it: they sign in there again, and come back to `next`. */
  beginProviderConfirm(asking: PersonAsking, next: string): Promise<Result<Begun>>
  /** `signedIn` null: the session that was there is confirmed. */
  finishProviderSignIn(
    facts: RequestFacts & { readonly viewer?: PersonViewer | null },
    back: ComingBack,
  ): Promise<Result<{ readonly signedIn: SignedIn | null; readonly next: string }>>
  /** Where signing out of the provider begins; `null`: it has no such place. */
  providerSignOut(wanted: Wanted): Promise<Result<string | null>>
}

/** Where the browser goes, and what it keeps. */
interface Begun {
  readonly address: string
  readonly kept: string
}

type NewProvider = SignInProvider & {
  readonly clientSecret: string | null
  readonly seen?: SeenSettings | undefined
}

interface Wanted {
  /** Slug. */
  readonly organisation: string
  readonly kind: string
}

interface ComingBack {
  /** Of the address that the provider came back to: nobody's answer is taken for another's. */
  readonly orgId: string
  readonly kind: string
  /** As `beginProviderSignIn` gave it. */
  readonly kept: string | null
  /** With its `?`. */
  readonly query: string
}

type Parts = Pick<
  CommandParts,
  'accounts' | 'clock' | 'random' | 'publicAddress' | 'signInLimits' | 'singleSignOn' | 'secondFactorsWrite'
>
type SignOn = NonNullable<CommandParts['singleSignOn']>

const DAY_SECONDS = 86_400

export function singleSignOnCommands(parts: Parts): SingleSignOnCommands {
  return {
    saveProvider: (asking, provider) => saveProvider(parts, asking, provider),
    removeProvider: async (asking, kind) =>
      refusalOf(asking, 'provider.write') ??
      signOn(parts).write.removeSignInProvider(asking.scope.orgId, kind, actorOf(parts, asking)),
    beginProviderSignIn: async (facts, { organisation, kind, next }) => {
      const found = await find(parts, ({ slug }) => slug === organisation, kind)
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

async function saveProvider(
  parts: Parts,
  asking: Asking,
  { seen, ...given }: NewProvider,
): Promise<Result<null>> {
  const refusal = refusalOf(asking, 'provider.write')
  if (refusal !== null) return refusal
  const checked = read(PROVIDER, given)
  if (!checked.ok) return checked
  const { issuer, isRequired, domains } = checked.value
  const { calls, write } = signOn(parts)
  if (!calls.privateIssuers && !issuer.startsWith('https:'))
    return refuse('invalid_input', 'The address must begin with https.', {
      issuer: ['It must begin with https.'],
    })
  if (isRequired && domains.length === 0) {
    const rule = 'Name the email domains whose members must use it.'
    return refuse('invalid_input', rule, { domains: [rule] })
  }
  const set = { ...checked.value, seen }
  return write.setSignInProvider(asking.scope.orgId, set, actorOf(parts, asking))
}

interface Found {
  readonly organisation: Organisation
  readonly given: Credentials
}

async function find(
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

/** Who asks for a page alone has a provider called: bounded like passwords that are wrong. */
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
  return asked(provider, async () => {
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
  const found = await find(parts, ({ id }) => id === session.orgId, 'oidc')
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
  await parts.secondFactorsWrite.confirmSession(viewer.session.id, viewer.user.id, actor)
  return ok(null)
}

async function finish(
  parts: Parts,
  facts: RequestFacts & { readonly viewer?: PersonViewer | null },
  back: ComingBack,
): ReturnType<SingleSignOnCommands['finishProviderSignIn']> {
  const { seal, write } = signOn(parts)
  const flow = seal.open(back.kept, parts.clock.now())
  if (flow === null || String(flow.orgId) !== back.orgId || flow.kind !== back.kind)
    return refuse('link_expired', 'This sign-in took too long or began in another browser. Sign in again.')
  const id = orgId(flow.orgId)
  const found = await find(parts, (one) => one.id === id, flow.kind)
  if (found === null) return PROVIDER_REFUSALS.noProvider()
  const { provider } = found.given
  return asked(provider, async (): Promise<Result<{ signedIn: SignedIn | null; next: string }>> => {
    const named = await namedAt(parts, found, { flow, query: back.query })
    if (flow.confirms !== undefined) {
      const confirmed = await confirm(parts, facts, { found, flow, named })
      return confirmed.ok ? ok({ signedIn: null, next: flow.next }) : confirmed
    }
    const cookie = newSecret(parts.random)
    const { subject, email, name } = named
    const arrived = await write.arrive(
      {
        ...{ orgId: id, issuer: provider.issuer, subject, email, name, mayJoin: mayJoin(provider, email) },
        role: roleOfGroups(provider, named.groups, await parts.accounts.roleDefault(id)),
        setsRole: provider.roleClaim !== '' || (provider.kind === 'github' && provider.roles.length > 0),
        session: { tokenHash: secretHash(cookie), userAgent: facts.userAgent?.slice(0, 300) ?? null },
      },
      { ...unnamedActor(parts, facts), label: provider.name },
    )
    if (!arrived.ok) return arrived
    const maxAgeSeconds = max('sessionDays') * DAY_SECONDS
    return ok({ signedIn: { cookie, userId: arrived.value, maxAgeSeconds }, next: flow.next })
  })
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
  const found = await find(parts, ({ slug }) => slug === organisation, kind)
  if (found === null) return PROVIDER_REFUSALS.noProvider()
  if (found.given.provider.kind === 'github') return ok(null)
  const back = parts.publicAddress.link('/sign-in')
  return asked(found.given.provider, async () =>
    ok(await oidcSignOut(signOn(parts).calls, found.given, back)),
  )
}

/** What the provider did not do becomes a refusal that names it. */
async function asked<T>({ name }: SignInProvider, run: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof ProviderError) return failed(name, cause)
    throw cause
  }
}

function failed(name: string, { message }: ProviderError): Refusal {
  return refuse('provider_failed', `${name} didn’t sign you in. ${message}`)
}
