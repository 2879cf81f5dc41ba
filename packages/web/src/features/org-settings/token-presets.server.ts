/** Scopes that go together, by what a token is for. */
import { scopesWithin } from '@errata/server/access'
import type { OrgContext } from '#wire/types.ts'

type Scopes = ReturnType<typeof scopesWithin>

interface Preset {
  /** Id of the form's field. */
  readonly id: string
  readonly name: string
  readonly what: string
  /** Scopes of the token; `null` for those of whoever makes it. */
  readonly scopes: Scopes | null
}

const READ: Scopes = ['org:read', 'project:read', 'event:read', 'member:read', 'team:read']

export const PRESETS: readonly Preset[] = [
  {
    id: 'read',
    name: 'Read issues',
    what: 'For dashboards, exports and read-only scripts.',
    scopes: READ,
  },
  {
    id: 'triage',
    name: 'Triage issues',
    what: 'For bots that also resolve, assign and comment.',
    scopes: [...READ, 'event:write'],
  },
  {
    id: 'ci',
    name: 'CI: releases and source maps',
    what: 'For build pipelines.',
    scopes: ['org:ci', 'project:read', 'project:releases'],
  },
  { id: 'full', name: 'Full access', what: 'Everything your role may do.', scopes: null },
]

type Asked = Pick<OrgContext, 'viewer' | 'scope'>

/** Returns presets as the form offers them, each with its scopes. */
export function presetsOf(asked: Asked) {
  return PRESETS.map(({ id, name, what }) => ({ id, name, what, scopes: scopesOf(asked, id) ?? [] }))
}

/** `null` for what is no preset: then each scope was chosen. */
export function scopesOf({ viewer, scope }: Asked, id: string): Scopes | null {
  const preset = PRESETS.find((each) => each.id === id)
  if (preset === undefined) return null
  const role = viewer.memberships.find(({ organisation }) => organisation.id === scope.orgId)?.role
  return preset.scopes ?? (role === undefined ? [] : scopesWithin(role))
}
