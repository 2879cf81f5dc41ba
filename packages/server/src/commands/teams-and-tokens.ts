/** Teams, and bearer tokens of the web API. */

import { roleIn } from '#access/access.ts'
import { scopesWithin } from '#access/permissions.ts'
import { newOrgToken, newPersonalToken, secretHash } from '#access/secrets.ts'
import { DAY_MS } from '#base/durations.ts'
import type { ProjectId, TeamId, TokenId, UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import type { ExportNoted } from '#model/account-rules.ts'
import type { AgentCall } from '#model/agent-call.ts'
import type { Role } from '#ports/accounts.ts'
import type { SeenSettings } from '#ports/projects.ts'
import { type Asking, actorOf, refusalOf, refuseUnconfirmed } from './asking.ts'
import type { CommandParts } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'
import { slugForNew } from './slugs.ts'

export interface TeamAndTokenCommands {
  createTeam(
    asking: Asking,
    name: string,
    options?: NewTeamOptions,
  ): Promise<Result<{ readonly id: TeamId; readonly slug: string }>>
  setTeam(asking: Asking, change: TeamChange): Promise<Result<null>>
  deleteTeam(asking: Asking, team: TeamId): Promise<Result<null>>
  createToken(
    asking: Asking,
    token: NewToken,
  ): Promise<Result<{ readonly id: TokenId; readonly token: string }>>
  revokeToken(asking: Asking, token: TokenId): Promise<Result<null>>
  /** Before a copy of the audit log, or of what is kept of a person, is made. */
  noteAuditExport(asking: Asking, exported: ExportNoted): Promise<Result<null>>
  /** Notes an agent's call in the audit log, refusals included. */
  noteAgentCall(asking: Asking, call: AgentCall): Promise<void>
}

interface NewTeamOptions {
  /** Left out: one is made of the name. */
  readonly slug?: string | undefined
  /** Without a slug: one that is taken gets a number behind it. Otherwise it is refused, naming one that is free. */
  readonly numbered?: boolean
}

interface TeamChange {
  readonly team: TeamId
  readonly change: {
    readonly name?: string
    readonly members?: readonly UserId[]
    /** Members who are team admins. */
    readonly admins?: readonly UserId[]
    readonly projects?: readonly ProjectId[]
  }
  /** Values that the form showed: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}

interface NewToken {
  readonly name: string
  readonly scopes: readonly string[]
  readonly personal: boolean
  /** It ends after so many; `null` and left out: only when it is revoked. */
  readonly expiresDays?: number | null
}

type TeamAndTokenParts = Pick<
  CommandParts,
  'accounts' | 'accountsWrite' | 'clock' | 'random' | 'publicAddress'
>

const TAIL_CHARS = 4

export function teamAndTokenCommands(parts: TeamAndTokenParts): TeamAndTokenCommands {
  return {
    createTeam: (asking, name, options = {}) => createTeam(parts, asking, { name, ...options }),
    setTeam: (asking, change) => setTeam(parts, asking, change),
    deleteTeam: async (asking, team) =>
      refusalOf(asking, 'team.write') ??
      parts.accountsWrite.deleteTeam(asking.scope.orgId, team, actorOf(parts, asking)),
    createToken: (asking, token) => createToken(parts, asking, token),
    revokeToken: (asking, token) => revokeToken(parts, asking, token),
    noteAuditExport: async (asking, exported) => {
      const refusal = refusalOf(asking, exported.of === 'person' ? 'person.delete' : 'audit.read')
      if (refusal !== null) return refusal
      await parts.accountsWrite.noteAuditExport(asking.scope.orgId, exported, actorOf(parts, asking))
      return ok(null)
    },
    noteAgentCall: (asking, call) =>
      parts.accountsWrite.noteAgentCall(asking.scope.orgId, call, actorOf(parts, asking)),
  }
}

async function createTeam(
  parts: TeamAndTokenParts,
  asking: Asking,
  { numbered, ...team }: NewTeamOptions & { readonly name: string },
): ReturnType<TeamAndTokenCommands['createTeam']> {
  const refusal = refusalOf(asking, 'team.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.team, team)
  if (!checked.ok) return checked
  const { scope } = asking
  const { name, slug: asked } = checked.value
  const taken = (await parts.accounts.teams(scope)).map((each) => each.slug)
  const slug = slugForNew({ name, slug: asked, numbered }, 'team', taken)
  if (!slug.ok) return slug
  const made = await parts.accountsWrite.createTeam(scope.orgId, slug.value, name, actorOf(parts, asking))
  return made.ok ? ok({ id: made.value, slug: slug.value }) : made
}

async function setTeam(
  parts: TeamAndTokenParts,
  asking: Asking,
  { team, change, seen }: TeamChange,
): Promise<Result<null>> {
  const refusal = refusalOf(asking, 'team.write', { team })
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.teamChange, change)
  if (!checked.ok) return checked
  const { name, members, admins, projects } = checked.value
  // A team admin gives nobody, nor themselves, what the team has not been given.
  const wider = projects === undefined ? null : refusalOf(asking, 'team.write')
  if (wider !== null) return wider
  const given = {
    ...(name === undefined ? {} : { name }),
    ...(members === undefined ? {} : { members }),
    ...(admins === undefined ? {} : { admins }),
    ...(projects === undefined ? {} : { projects }),
    seen,
  }
  return parts.accountsWrite.setTeam(asking.scope.orgId, team, given, actorOf(parts, asking))
}

/** Everybody may have personal tokens, which never do more than their person; organisation tokens are managed. */
async function createToken(
  parts: TeamAndTokenParts,
  asking: Asking,
  input: NewToken,
): ReturnType<TeamAndTokenCommands['createToken']> {
  const { viewer, scope } = asking
  if (viewer.kind === 'token') return refuse('forbidden', 'A token cannot make tokens.')
  const role = roleIn(viewer, scope)
  if (role === null) return refuse('not_found', 'There is no such organisation.')
  const refusal = input.personal ? null : refusalOf(asking, 'token.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.token, input)
  if (!checked.ok) return checked
  const { name, scopes, personal, expiresDays = null } = checked.value
  const excess = (personal ? null : refuseExcess(role, scopes)) ?? refuseUnconfirmed(parts, asking)
  if (excess !== null) return excess
  const nowMs = parts.clock.now()
  const address = personal ? null : parts.publicAddress.url
  const token = personal
    ? newPersonalToken(parts.random)
    : newOrgToken(parts.random, { url: address, org: scope.orgSlug, nowMs })
  const made = await parts.accountsWrite.createToken(
    {
      orgId: scope.orgId,
      userId: personal ? viewer.user.id : null,
      name,
      scopes: [...new Set(scopes)],
      tail: token.slice(-TAIL_CHARS),
      tokenHash: secretHash(token),
      expiresMs: expiresDays === null ? null : nowMs + expiresDays * DAY_MS,
      address,
    },
    actorOf(parts, asking),
  )
  return made.ok ? ok({ id: made.value, token }) : made
}

function refuseExcess(role: Role, scopes: readonly string[]): Refusal | null {
  const within: readonly string[] = scopesWithin(role)
  const excess = scopes.filter((scope) => !within.includes(scope))
  if (excess.length === 0) return null
  const message = `Your role cannot give ${excess.join(', ')}.`
  return refuse('forbidden', message, { scopes: [message] })
}

async function revokeToken(parts: TeamAndTokenParts, asking: Asking, id: TokenId): Promise<Result<null>> {
  const { viewer, scope } = asking
  const token = (await parts.accounts.tokens(scope)).find((each) => each.id === id)
  const isOwn = token !== undefined && token.userId !== null && token.userId === scope.userId
  const refusal = isOwn && viewer.kind === 'person' ? null : refusalOf(asking, 'token.write')
  if (refusal !== null) return refusal
  if (token === undefined) return refuse('not_found', 'There is no such token.')
  return parts.accountsWrite.revokeToken(scope.orgId, id, actorOf(parts, asking))
}
