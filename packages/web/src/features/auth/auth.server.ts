import { PASSWORD_RULE } from '@errata/server/commands'
import { max } from '@errata/server/limits'
import { readAddress } from '#parts/address.ts'
import { paths } from '#parts/paths.ts'
import { redirectTo, refusePage } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { AUTH } from './auth-address.server.ts'
import { authPaths } from './paths.ts'

/** `/`: to the setup, the sign-in, or the issues of the organisation used last. */
export async function loadHome({ engine, viewer }: LoaderContext): Promise<null> {
  if (viewer === null) {
    return redirectTo((await engine.queries.needsSetup()) ? authPaths.setup() : paths.signIn())
  }
  const { memberships, user } = viewer
  const last = memberships.find(({ organisation }) => organisation.id === user.orgIdLast) ?? memberships[0]
  if (last === undefined && viewer.closed.length > 0) return redirectTo(paths.accountSecurity())
  if (last === undefined) return redirectTo(paths.account())
  const { slug } = last.organisation
  return redirectTo(user.landing === 'issues' ? paths.issues(slug) : paths.overview(slug))
}

export async function loadSetup({ engine, url, openedAt }: LoaderContext) {
  if (!(await engine.queries.needsSetup())) return redirectTo(paths.home())
  const { isFixed, url: address } = engine.publicAddress
  return {
    code: (url.searchParams.get('code') ?? '').slice(0, CODE_CHARS_MAX),
    passwordRule: PASSWORD_RULE,
    /** Without `--url` whoever sets up decides. */
    address: isFixed ? { isFixed, url: address } : { isFixed, url: openedAt },
  }
}

const CODE_CHARS_MAX = 100

export async function loadSignIn({ engine, viewer, url }: LoaderContext) {
  const { next } = readAddress(AUTH, url.searchParams)
  if (viewer !== null) return redirectTo(next)
  if (await engine.queries.needsSetup()) return redirectTo(authPaths.setup())
  const organisation = url.searchParams.get('org')?.trim() || null
  return {
    next,
    host: new URL(engine.publicAddress.url).host,
    organisation,
    /** From a session that a provider began: the one there may still be open. */
    isSignedOut: url.searchParams.has('out'),
    ...(await engine.queries.signInChoices(organisation)),
  }
}

export async function loadForgot({ engine }: LoaderContext) {
  if (await engine.queries.needsSetup()) return redirectTo(authPaths.setup())
  return { sendsMail: engine.queries.sendsMail(), minutes: max('resetMs') / MINUTE_MS }
}

const MINUTE_MS = 60_000

export async function loadSignOut({ viewer }: LoaderContext) {
  if (viewer === null) return redirectTo(paths.signIn())
  return { email: viewer.user.email }
}

export async function loadJoin({ engine, viewer, params }: LoaderContext) {
  const code = params.code ?? ''
  const invitation = await engine.queries.invitation(code)
  if (invitation === null) {
    const expired = await engine.queries.expiredInvitation(code)
    return refusePage('link_expired', deadInvitation(expired?.orgName ?? null))
  }
  const { email, orgName, role } = invitation
  return { code, email, orgName, role, viewerEmail: viewer?.user.email ?? null, passwordRule: PASSWORD_RULE }
}

/** Whoever has an account that a provider named is asked whether it is theirs, once. */
export async function loadJoinAccount({ engine, viewer, url }: LoaderContext) {
  const ticket = readAddress(AUTH, url.searchParams).ticket ?? ''
  const asked = await engine.commands.unjoinedAccount(ticket)
  if (asked === null) return refusePage('link_expired', 'This sign-in took too long. Start again.')
  const { email, organisation, provider, userId } = asked
  const isOwn = viewer !== null && viewer.user.id === userId && viewer.session.orgId === undefined
  return { ticket, email, organisation, provider, isOwn, viewerEmail: viewer?.user.email ?? null }
}

/** Message of a dead invitation; whoever may invite can do it again. */
function deadInvitation(organisation: string | null): string {
  if (organisation === null)
    return 'This invitation was used or revoked, or has expired. An owner or manager of the organisation can send a new one.'
  return `This invitation to ${organisation} has expired. An owner or manager of ${organisation} can send a new one.`
}

export async function loadReset({ engine, params }: LoaderContext) {
  const reset = await engine.queries.passwordReset(params.code ?? '')
  if (reset === null) return refusePage('link_expired', 'This link was used or has expired. Each works once.')
  return { email: reset.email, passwordRule: PASSWORD_RULE }
}
