/** Setting up, signing in and out, passwords, sessions, profile. */
import { newSecret, sameSecret, secretHash } from '#access/secrets.ts'
import type { PersonViewer } from '#access/viewer.ts'
import type { UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { Actor } from '#ports/scope.ts'
import { dsnOf } from '#queries/dsn.ts'
import { actorOf, announced, type CommandParts, tooManyAttempts, whileHashing } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'
import { freeSlug, slugFrom } from './slugs.ts'
import type { Commands, RequestFacts, SetupInput, SignedIn } from './types.ts'

type SignInCommands = Pick<
  Commands,
  | 'setup'
  | 'setupCode'
  | 'signIn'
  | 'signOut'
  | 'changePassword'
  | 'resetPassword'
  | 'createPasswordReset'
  | 'endSession'
  | 'setProfile'
>

const DAY_SECONDS = 86_400
const DAY_MS = DAY_SECONDS * 1000
const CODE_BYTES = 16

interface SetupCode {
  value: string | null
}

export function signInCommands(parts: CommandParts): SignInCommands {
  /** Gone once set up. */
  const code: SetupCode = { value: groupedCode(parts.random.hex(CODE_BYTES)) }
  return {
    setupCode: () => code.value,
    setup: (input, facts) => setup(parts, code, { input, facts }),
    signIn: (email, password, facts) => signIn(parts, { email, password }, facts),
    signOut: async (viewer, facts) => {
      await parts.accountsWrite.endSession(viewer.session.id, viewer.user.id, actorOf(parts, viewer, facts))
    },
    changePassword: (viewer, current, next, facts) => changePassword(parts, viewer, { current, next, facts }),
    resetPassword: (resetCode, password, facts) => resetPassword(parts, { code: resetCode, password }, facts),
    createPasswordReset: (email, facts) => createPasswordReset(parts, email, facts),
    endSession: (viewer, id, facts) =>
      parts.accountsWrite.endSession(id, viewer.user.id, actorOf(parts, viewer, facts)),
    setProfile: (viewer, change, facts) => setProfile(parts, viewer, { change, facts }),
  }
}

/** Read aloud or typed from a terminal: groups of four. */
function groupedCode(hex: string): string {
  return (hex.match(/.{4}/g) ?? [hex]).join('-')
}

async function setup(
  parts: CommandParts,
  code: SetupCode,
  { input, facts }: { readonly input: SetupInput; readonly facts: RequestFacts },
): ReturnType<Commands['setup']> {
  if (!(await parts.accounts.needsSetup())) {
    code.value = null
    return refuse('conflict', 'Errata is set up already. Sign in instead.')
  }
  // Before the code: a password that is too short is no guess at the code.
  const checked = read(SCHEMAS.setup, input)
  if (!checked.ok) return checked
  const refusal = refuseCode(parts, code.value, { given: input.code, facts })
  if (refusal !== null) return refusal
  const { email, password, name = '', organisation, project, platform = null } = checked.value
  const slugs = setupSlugs(parts, organisation, project)
  return whileHashing(async () => {
    const passwordHash = await parts.passwords.hash(password)
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
    }
    const actor = actorOf(parts, null, facts)
    const made = await announced(parts, parts.accountsWrite.createFirstOwner(owner, actor))
    if (!made.ok) return made
    code.value = null
    const { userId, projectId } = made.value
    const signedIn = await beginSession(parts, userId, {
      facts,
      actor: { ...actor, userId, label: name || email },
    })
    const dsn = dsnOf(parts.publicUrl(), { public: keyPublic, projectId })
    return ok({ signedIn, organisation: slugs.organisation, project: slugs.project, dsn })
  })
}

/** The command line needs no code: whoever can write to the data directory owns the installation. */
function refuseCode(
  parts: CommandParts,
  code: string | null,
  { given, facts }: { readonly given: string | null; readonly facts: RequestFacts },
): Refusal | null {
  if (given === null) return null
  const attempt = parts.signInLimits.attempt(facts.address, 'setup')
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  const plain = given
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '')
  if (code !== null && sameSecret(plain, code.replaceAll('-', ''))) {
    attempt.succeeded()
    return null
  }
  const message = 'The code is wrong. It is in the output of the server.'
  return refuse('setup_code_wrong', message, { code: [message] })
}

function setupSlugs(
  parts: CommandParts,
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
  parts: CommandParts,
  input: { readonly email: string; readonly password: string },
  facts: RequestFacts,
): Promise<Result<SignedIn>> {
  const checked = read(SCHEMAS.signIn, input)
  if (!checked.ok) return checked
  const { email, password } = checked.value
  const attempt = parts.signInLimits.attempt(facts.address, email)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  return whileHashing(async () => {
    const user = await parts.accounts.userByEmail(email)
    const isRight = await parts.passwords.verify(password, user?.passwordHash ?? null)
    if (user === null || !isRight) {
      await parts.accountsWrite.recordSignInFailure(email.slice(0, 100), actorOf(parts, null, facts))
      return refuse('sign_in_failed', 'Mail address or password is wrong.')
    }
    attempt.succeeded()
    const actor = { ...actorOf(parts, null, facts), userId: user.id, label: user.name || user.email }
    const signedIn = await beginSession(parts, user.id, { facts, actor })
    return ok(signedIn)
  })
}

/** A new secret for every sign-in: a cookie that was planted before is worth nothing. */
export async function beginSession(
  parts: CommandParts,
  user: UserId,
  { facts, actor }: { readonly facts: RequestFacts; readonly actor: Actor },
): Promise<SignedIn> {
  const cookie = newSecret(parts.random)
  const agent = facts.userAgent?.slice(0, 300) ?? null
  await parts.accountsWrite.createSession(user, secretHash(cookie), agent, actor)
  return { cookie, userId: user, maxAgeSeconds: max('sessionDays') * DAY_SECONDS }
}

async function changePassword(
  parts: CommandParts,
  viewer: PersonViewer,
  { current, next, facts }: { readonly current: string; readonly next: string; readonly facts: RequestFacts },
): Promise<Result<null>> {
  const checked = read(SCHEMAS.changePassword, { current, next })
  if (!checked.ok) return checked
  const attempt = parts.signInLimits.attempt(facts.address, viewer.user.email)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  return whileHashing(async () => {
    const stored = await parts.accounts.passwordHash(viewer.user.id)
    if (!(await parts.passwords.verify(current, stored))) {
      const message = 'The present password is wrong.'
      return refuse('invalid_input', message, { current: [message] })
    }
    attempt.succeeded()
    const hash = await parts.passwords.hash(next)
    const actor = actorOf(parts, viewer, facts)
    await parts.accountsWrite.setPassword(viewer.user.id, hash, viewer.session.id, actor)
    return ok(null)
  })
}

async function resetPassword(
  parts: CommandParts,
  input: { readonly code: string; readonly password: string },
  facts: RequestFacts,
): Promise<Result<SignedIn>> {
  const checked = read(SCHEMAS.resetPassword, input)
  if (!checked.ok) return checked
  const codeHash = secretHash(checked.value.code)
  const user = await parts.accounts.passwordReset(codeHash, parts.clock.now())
  if (user === null) return refuse('link_expired', 'This link was used already or is too old.')
  return whileHashing(async () => {
    const hash = await parts.passwords.hash(checked.value.password)
    const actor = { ...actorOf(parts, null, facts), userId: user.id, label: user.name || user.email }
    const used = await parts.accountsWrite.usePasswordReset(codeHash, hash, actor)
    return used.ok ? ok(await beginSession(parts, used.value, { facts, actor })) : used
  })
}

/** Callers are the operator's page, which checks the flag, and the command line. */
async function createPasswordReset(
  parts: CommandParts,
  email: string,
  facts: RequestFacts,
): Promise<Result<{ readonly code: string; readonly url: string }>> {
  const user = await parts.accounts.userByEmail(email.slice(0, 254))
  if (user === null) return refuse('not_found', 'There is no account with this mail address.')
  const code = newSecret(parts.random)
  const expiresMs = parts.clock.now() + max('invitationDays') * DAY_MS
  await parts.accountsWrite.createPasswordReset(
    user.id,
    secretHash(code),
    expiresMs,
    actorOf(parts, null, facts),
  )
  return ok({ code, url: `${parts.publicUrl()}/reset/${code}` })
}

async function setProfile(
  parts: CommandParts,
  viewer: PersonViewer,
  { change, facts }: { readonly change: Parameters<Commands['setProfile']>[1]; readonly facts: RequestFacts },
): Promise<Result<null>> {
  const { orgIdLast, ...rest } = change
  const checked = read(SCHEMAS.profile, rest)
  if (!checked.ok) return checked
  const isMember = viewer.memberships.some(({ organisation }) => organisation.id === orgIdLast)
  const { name, theme } = checked.value
  await parts.accountsWrite.setProfile(
    viewer.user.id,
    {
      ...(name === undefined ? {} : { name }),
      ...(theme === undefined ? {} : { theme }),
      ...(orgIdLast === undefined || !isMember ? {} : { orgIdLast }),
    },
    actorOf(parts, viewer, facts),
  )
  return ok(null)
}
