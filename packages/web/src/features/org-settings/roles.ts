/** Roles, the strongest first, and what each may do in a few words. */
export const ROLES = [
  { role: 'owner', what: 'full control' },
  { role: 'manager', what: 'all projects, members, teams, tokens' },
  { role: 'member', what: 'work on their teams’ issues' },
  { role: 'viewer', what: 'read their teams’ projects' },
  { role: 'guest', what: 'work on issues of chosen projects' },
] as const

/** Roles that people can be given without an owner’s approval. */
export const GIVEN_ROLES = ['manager', 'member', 'viewer'] as const
