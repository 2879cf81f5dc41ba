/** Setting up, signing in and out, passwords, sessions, profile. */

import { knownDevice } from '#access/known-device.ts'
import { newSecret, sameSecret, secretHash } from '#access/secrets.ts'
import { DAY_MS } from '#base/durations.ts'
import type { OrgId, SessionId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { statedFields } from '#base/stated-fields.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import type { Landing, Theme } from '#ports/accounts.ts'
import {
  actorOf,
  isForeignAccount,
  type PersonAsking,
  type RequestFacts,
  refuseForeignAccount,
  refuseOwnSignIn,
  unnamedActor,
} from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'
import { afterPassword, beginSession, knownUser, type SignedIn, whileHashing } from './sessions.ts'
import { freeSlug, slugFrom } from './slugs.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

interface SignInCommands {
  setup(facts: RequestFacts, input: SetupInput): Promise<Result<SetUp>>
  /** The code that `/setup` asks for; `null` once set up. */
  setupCode(): string | null
  signIn(facts: RequestFacts, credentials: Credentials): Promise<Result<SignedIn>>
  signOut(asking: PersonAsking): Promise<Result<null>>
  changePassword(asking: PersonAsking, change: PasswordChange): Promise<Result<null>>
  resetPassword(facts: RequestFacts, reset: PasswordReset): Promise<Result<SignedIn>>
  /** Has a link emailed to whoever has the address. Answers the same, in the same time, where nobody has it. */
  askForReset(facts: RequestFacts, asked: { readonly email: string }): Promise<Result<null>>
  /** Makes a reset link's code for an account; operator and command line. */
  createPasswordReset(
    facts: RequestFacts,
    email: string,
  ): Promise<Result<{ readonly code: string; readonly url: string }>>
  endSession(asking: PersonAsking, session: SessionId): Promise<Result<null>>
  setProfile(asking: PersonAsking, change: ProfileChange): Promise<Result<null>>
}

interface SetupInput {
  /** The one-time code that the server printed; `null` for the command line, which needs none. */
  readonly code: string | null
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly organisation: string
  readonly project: string
  readonly platform?: string | null
  /** Origin in the browser that sets up: kept as the public address where `--url` sets none. */
  readonly url?: string | null
}

interface SetUp {
  readonly signedIn: SignedIn
  readonly organisation: string
  readonly project: string
  readonly dsn: string
}

interface Credentials {
  readonly email: string
  readonly password: string
  /** Ticket of an account that a provider named: whoever has the account signs in to confirm it. */
  readonly ticket?: string | null
}

interface PasswordChange {
  readonly current: string
  readonly next: string
}

interface PasswordReset {
  readonly code: string
  readonly password: string
}

interface ProfileChange {
  readonly name?: string
  readonly theme?: Theme
  readonly landing?: Landing
  readonly orgIdLast?: OrgId
}

type SignInParts = Pick<
  CommandParts,
  | 'accounts'
  | 'clock'
  | 'random'
  | 'publicAddress'
  | 'reservedSlugs'
  | 'onDirectoryChanged'
  | 'passwords'
  | 'signInLimits'
  | 'passwordLimits'
  | 'seal'
  | 'secondFactors'
  | 'waitingSignIns'
  | 'resetLimits'
  | 'mailRoom'
  | 'singleSignOn'
> & { readonly changes: Changes }

const CODE_BYTES = 16
const LETTER_KEY_BYTES = 16

interface SetupCode {
  value: string | null
}

export function signInCommands(parts: SignInParts): SignInCommands {
  /** Gone once set up. */
  const code: SetupCode = { value: groupedCode(parts.random.hex(CODE_BYTES)) }
  return {
    setupCode: () => code.value,
    setup: (facts, input) => setup(parts, code, { input, facts }),
    signIn: (facts, credentials) => signIn(parts, facts, credentials),
    signOut: (asking) => endOwnSession(parts, asking, asking.viewer.session.id),
    changePassword: (asking, change) => changePassword(parts, asking, change),
    resetPassword: (facts, reset) => resetPassword(parts, facts, reset),
    askForReset: (facts, asked) => askForReset(parts, facts, asked),
    createPasswordReset: (facts, email) => askForPasswordReset(parts, facts, email),
    endSession: (asking, session) => endOwnSession(parts, asking, session),
    setProfile: (asking, change) => setOwnProfile(parts, asking, change),
  }
}

async function endOwnSession(
  parts: SignInParts,
  asking: PersonAsking,
  session: SessionId,
): Promise<Result<null>> {
  const { viewer } = asking
  if (viewer.session.orgId !== undefined) {
    const all = await parts.accounts.sessions(viewer.user.id, parts.clock.now())
    // A provider's session knows of those that the same provider began, and of no others.
    if (!all.some(({ id, orgId }) => id === session && orgId === viewer.session.orgId))
      return ACCOUNT_REFUSALS.sessionEnded()
  }
  const user = asking.viewer.user.id
  return parts.changes.own('endSession', { user, id: session, actor: actorOf(parts, asking) })
}

/** Read aloud or typed from a terminal: groups of four. */
function groupedCode(hex: string): string {
  return (hex.match(/.{4}/g) ?? [hex]).join('-')
}

async function setup(
  parts: SignInParts,
  code: SetupCode,
  { input, facts }: { readonly input: SetupInput; readonly facts: RequestFacts },
): Promise<Result<SetUp>> {
  if (!(await parts.accounts.needsSetup())) {
    code.value = null
    return refuse('conflict', 'Errata is already set up. Sign in instead.')
  }
  // Before the code: a password that is too short is no guess at the code.
  const checked = readInput(SCHEMAS.setup, input)
  if (!checked.ok) return checked
  const refusal = refuseSetUpCode(parts, code.value, { given: input.code, facts })
  if (refusal !== null) return refusal
  const { email, password, name = '', organisation, project, platform = null } = checked.value
  const publicUrl = urlToKeep(parts, checked.value.url ?? null, { isCommand: input.code === null })
  const slugs = setupSlugs(parts, organisation, project)
  return whileHashing(facts, async () => {
    const passwordHash = await parts.passwords.hash(password, { is: 'known', account: 'setup' })
    const keyPublic = parts.random.hex(16)
    const self = { slug: slugs.self, name: 'Errata', keyPublic: parts.random.hex(16) }
    const owner = {
      email,
      name,
      passwordHash,
      organisation: { slug: slugs.organisation, name: organisation },
      project: { slug: slugs.project, name: project, platform },
      keyPublic,
      selfProject: self,
      publicUrl,
    }
    const actor = unnamedActor(parts, facts)
    const made = await parts.changes.own('createFirstOwner', { owner, actor })
    if (!made.ok) return made
    await parts.onDirectoryChanged()
    code.value = null
    parts.publicAddress.kept(publicUrl)
    const { userId, projectId } = made.value
    const signedIn = await beginSession(
      parts,
      { id: userId, email },
      { facts, actor: { ...actor, userId, label: name || email } },
    )
    const dsn = parts.publicAddress.dsn({ public: keyPublic, projectId })
    return ok({ signedIn, organisation: slugs.organisation, project: slugs.project, dsn })
  })
}

/**
 * Nothing where the server's `--url` decides, or where its own guess, which follows its port, is right. The `--url` of a
 * command ends with the command: the server would not know what the DSN it printed begins with.
 */
function urlToKeep(
  { publicAddress }: SignInParts,
  used: string | null,
  { isCommand }: { readonly isCommand: boolean },
): string | null {
  if (publicAddress.isFixed) return isCommand ? used : null
  return used === publicAddress.url ? null : used
}

/** The command line needs no code: whoever can write to the data directory owns the installation. */
function refuseSetUpCode(
  parts: SignInParts,
  code: string | null,
  { given, facts }: { readonly given: string | null; readonly facts: RequestFacts },
): Refusal | null {
  if (given === null) return null
  const attempt = parts.passwordLimits.attempt(facts.address, 'setup', null)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  const plain = given
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '')
  if (code !== null && sameSecret(plain, code.replaceAll('-', ''))) {
    attempt.succeeded()
    return null
  }
  const message = 'The code is incorrect. It was printed by the server when it started.'
  return refuse('setup_code_wrong', message, { code: [message] })
}

function setupSlugs(
  parts: SignInParts,
  organisation: string,
  project: string,
): { readonly organisation: string; readonly project: string; readonly self: string } {
  const projectSlug = slugFrom(project, 'project')
  return {
    organisation: freeSlug(slugFrom(organisation, 'org'), (slug) => parts.reservedSlugs.includes(slug)),
    project: projectSlug,
    self: freeSlug('errata', (slug) => slug === projectSlug),
  }
}

/** The same answer and the same work for a wrong password and for an account that does not exist. */
async function signIn(
  parts: SignInParts,
  facts: RequestFacts,
  input: Credentials,
): Promise<Result<SignedIn>> {
  const { ticket, ...credentials } = input
  const checked = readInput(SCHEMAS.signIn, credentials)
  if (!checked.ok) return checked
  const { email, password } = checked.value
  const device = knownDevice(parts.seal, facts.device, { email, nowMs: parts.clock.now() })
  const attempt = parts.passwordLimits.attempt(facts.address, email, device)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  return whileHashing(facts, async () => {
    const user = await parts.accounts.userByEmail(email)
    const isRight = await parts.passwords.verify(password, user?.passwordHash ?? null, attempt.asker)
    if (user === null || !isRight) {
      await parts.changes.own('recordSignInFailure', {
        email: email.slice(0, 100),
        actor: unnamedActor(parts, facts),
      })
      return refuse('sign_in_failed', 'Email or password is incorrect.')
    }
    attempt.succeeded()
    // Errata's own has no provider: it says nothing of how its operator signs in to the others.
    const memberships = (await parts.accounts.memberships(user.id)).filter(({ isOwn }) => isOwn !== true)
    const asked = parts.singleSignOn?.seal.openUnjoined(ticket ?? '', parts.clock.now())
    const isJoining = asked?.userId === user.id
    const areClosed =
      memberships.length > 0 && memberships.every(({ needsProvider = false }) => needsProvider)
    if (areClosed && !isJoining)
      return refuse('provider_required', 'Your organisation uses single sign-on. Sign in with it instead.')
    return afterPassword(parts, user, facts)
  })
}

async function changePassword(
  parts: SignInParts,
  asking: PersonAsking,
  { current, next }: PasswordChange,
): Promise<Result<null>> {
  const { viewer, address } = asking
  if (viewer.session.orgId !== undefined) return refuseOwnSignIn()
  const checked = readInput(SCHEMAS.changePassword, { current, next })
  if (!checked.ok) return checked
  const attempt = parts.signInLimits.attempt(address, `password of ${viewer.user.id}`)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  return whileHashing(asking, async () => {
    const asker = knownUser(viewer.user.id)
    const stored = await parts.accounts.passwordHash(viewer.user.id)
    if (!(await parts.passwords.verify(current, stored, asker))) {
      const message = 'Current password is incorrect.'
      return refuse('invalid_input', message, { current: [message] })
    }
    attempt.succeeded()
    const passwordHash = await parts.passwords.hash(next, asker)
    const change = { user: viewer.user.id, passwordHash, keep: viewer.session.id }
    await parts.changes.own('setPassword', { ...change, actor: actorOf(parts, asking) })
    return ok(null)
  })
}

async function resetPassword(
  parts: SignInParts,
  facts: RequestFacts,
  input: PasswordReset,
): Promise<Result<SignedIn>> {
  const checked = readInput(SCHEMAS.resetPassword, input)
  if (!checked.ok) return checked
  const codeHash = secretHash(checked.value.code)
  const user = await parts.accounts.passwordReset(codeHash, parts.clock.now())
  if (user === null) return refuse('link_expired', 'This link was already used or has expired.')
  return whileHashing(facts, async () => {
    const passwordHash = await parts.passwords.hash(checked.value.password, knownUser(user.id))
    const actor = { ...unnamedActor(parts, facts), userId: user.id, label: user.name || user.email }
    const used = await parts.changes.own('usePasswordReset', { codeHash, passwordHash, actor })
    return used.ok ? afterPassword(parts, user, facts) : used
  })
}

/** Whether there is such an account is asked by the mail room alone, later: nothing here depends on it. */
async function askForReset(
  parts: SignInParts,
  facts: RequestFacts,
  asked: { readonly email: string },
): Promise<Result<null>> {
  const { mailRoom } = parts
  if (mailRoom === undefined)
    return refuse('conflict', 'This server sends no email. Ask the person who runs it for a reset link.')
  const checked = readInput(SCHEMAS.resetRequest, asked)
  if (!checked.ok) return checked
  const { email } = checked.value
  const attempt = parts.resetLimits.attempt(facts.address, email)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  const actor = unnamedActor(parts, facts)
  const letter = { email, key: parts.random.hex(LETTER_KEY_BYTES), expiresMs: actor.atMs + max('resetMs') }
  const made = await parts.changes.own('createReset', { letter, actor })
  if (made.ok) mailRoom.wake()
  return made
}

/** Callers are the operator's page, which checks the flag, and the command line. */
async function askForPasswordReset(
  parts: SignInParts,
  facts: RequestFacts,
  email: string,
): Promise<Result<{ readonly code: string; readonly url: string }>> {
  const user = await parts.accounts.userByEmail(email.slice(0, 254))
  if (user === null) return refuse('not_found', 'There is no account with this email.')
  const code = newSecret(parts.random)
  const expiresMs = parts.clock.now() + max('invitationDays') * DAY_MS
  await parts.changes.own('createPasswordReset', {
    ...{ user: user.id, codeHash: secretHash(code), expiresMs },
    actor: unnamedActor(parts, facts),
  })
  return ok({ code, url: parts.publicAddress.link(`/reset/${code}`) })
}

async function setOwnProfile(
  parts: SignInParts,
  asking: PersonAsking,
  { orgIdLast, ...rest }: ProfileChange,
): Promise<Result<null>> {
  const { viewer } = asking
  const checked = readInput(SCHEMAS.profile, rest)
  if (!checked.ok) return checked
  // Where they were last is noted behind their back, and passed over then.
  const refusal = Object.keys(rest).length === 0 ? null : refuseForeignAccount(viewer)
  if (refusal !== null) return refusal
  const isMember = viewer.memberships.some(({ organisation }) => organisation.id === orgIdLast)
  const change = {
    ...statedFields(checked.value),
    ...(orgIdLast === undefined || !isMember || isForeignAccount(viewer) ? {} : { orgIdLast }),
  }
  await parts.changes.own('setProfile', { user: viewer.user.id, change, actor: actorOf(parts, asking) })
  return ok(null)
}
