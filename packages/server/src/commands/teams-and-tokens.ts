/** Teams, and bearer tokens of the web API. */
import { roleIn } from '#access/access.ts'
import { PERMISSIONS, type PermissionEntry } from '#access/permissions.ts'
import { newOrgToken, newPersonalToken, secretHash } from '#access/secrets.ts'
import type { TeamId, TokenId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import type { Role } from '#ports/accounts.ts'
import type { Asking } from './organisation.ts'
import { actorOf, type CommandParts, refusalOf } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'
import { freeSlug, slugFrom } from './slugs.ts'
import type { Commands } from './types.ts'

type TeamAndTokenCommands = Pick<
  Commands,
  'createTeam' | 'setTeam' | 'deleteTeam' | 'createToken' | 'revokeToken'
>

const TAIL_CHARS = 4

export function teamAndTokenCommands(parts: CommandParts): TeamAndTokenCommands {
  return {
    createTeam: (viewer, scope, name, facts) => createTeam(parts, { viewer, scope, facts }, name),
    setTeam: (...[viewer, scope, team, change, facts]) =>
      setTeam(parts, { viewer, scope, facts }, { team, change }),
    deleteTeam: async (viewer, scope, team, facts) =>
      refusalOf(viewer, scope, 'team.write') ??
      parts.accountsWrite.deleteTeam(scope.orgId, team, actorOf(parts, viewer, facts)),
    createToken: (viewer, scope, input, facts) => createToken(parts, { viewer, scope, facts }, input),
    revokeToken: (viewer, scope, id, facts) => revokeToken(parts, { viewer, scope, facts }, id),
  }
}

async function createTeam(
  parts: CommandParts,
  { viewer, scope, facts }: Asking,
  name: string,
): Promise<Result<{ readonly id: TeamId; readonly slug: string }>> {
  const refusal = refusalOf(viewer, scope, 'team.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.team, { name })
  if (!checked.ok) return checked
  const taken = new Set((await parts.accounts.teams(scope)).map(({ slug }) => slug))
  const slug = freeSlug(slugFrom(checked.value.name, 'team'), (each) => taken.has(each))
  const made = await parts.accountsWrite.createTeam(
    scope.orgId,
    slug,
    checked.value.name,
    actorOf(parts, viewer, facts),
  )
  return made.ok ? ok({ id: made.value, slug }) : made
}

async function setTeam(
  parts: CommandParts,
  { viewer, scope, facts }: Asking,
  { team, change }: { readonly team: TeamId; readonly change: Parameters<Commands['setTeam']>[3] },
): Promise<Result<null>> {
  const refusal = refusalOf(viewer, scope, 'team.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.teamChange, change)
  if (!checked.ok) return checked
  const { name, members, projects } = checked.value
  const given = {
    ...(name === undefined ? {} : { name }),
    ...(members === undefined ? {} : { members }),
    ...(projects === undefined ? {} : { projects }),
  }
  return parts.accountsWrite.setTeam(scope.orgId, team, given, actorOf(parts, viewer, facts))
}

/** Everybody may have personal tokens, which never do more than their person; organisation tokens are managed. */
async function createToken(
  parts: CommandParts,
  { viewer, scope, facts }: Asking,
  input: Parameters<Commands['createToken']>[2],
): Promise<Result<{ readonly id: TokenId; readonly token: string }>> {
  if (viewer.kind === 'token') return refuse('forbidden', 'A token cannot make tokens.')
  const role = roleIn(viewer, scope)
  if (role === null) return refuse('not_found', 'There is no such organisation.')
  const refusal = input.personal ? null : refusalOf(viewer, scope, 'token.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.token, input)
  if (!checked.ok) return checked
  const { name, scopes, personal } = checked.value
  const excess = personal ? null : refuseExcess(role, scopes)
  if (excess !== null) return excess
  const nowMs = parts.clock.now()
  const token = personal
    ? newPersonalToken(parts.random)
    : newOrgToken(parts.random, { url: parts.publicUrl(), org: scope.orgSlug, nowMs })
  const made = await parts.accountsWrite.createToken(
    {
      orgId: scope.orgId,
      userId: personal ? viewer.user.id : null,
      name,
      scopes: [...new Set(scopes)],
      tail: token.slice(-TAIL_CHARS),
      tokenHash: secretHash(token),
    },
    actorOf(parts, viewer, facts),
  )
  return made.ok ? ok({ id: made.value, token }) : made
}

/** Nobody gives a token what they may not do themselves. */
function refuseExcess(role: Role, scopes: readonly string[]): Refusal | null {
  const entries: readonly PermissionEntry[] = Object.values(PERMISSIONS)
  const excess = scopes.filter((scope) =>
    entries.some((entry) => entry.scopes.some((each) => each === scope) && !entry.roles.includes(role)),
  )
  if (excess.length === 0) return null
  const message = `Your role cannot give ${excess.join(', ')}.`
  return refuse('forbidden', message, { scopes: [message] })
}

async function revokeToken(
  parts: CommandParts,
  { viewer, scope, facts }: Asking,
  id: TokenId,
): Promise<Result<null>> {
  const token = (await parts.accounts.tokens(scope)).find((each) => each.id === id)
  const isOwn = token !== undefined && token.userId !== null && token.userId === scope.userId
  const refusal = isOwn && viewer.kind === 'person' ? null : refusalOf(viewer, scope, 'token.write')
  if (refusal !== null) return refusal
  if (token === undefined) return refuse('not_found', 'There is no such token.')
  return parts.accountsWrite.revokeToken(scope.orgId, id, actorOf(parts, viewer, facts))
}
