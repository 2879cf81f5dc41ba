/** Roles, the strongest first, and what each may do in a few words. */
export const ROLES = [
  { role: 'owner', what: 'everything, and the organisation itself' },
  { role: 'manager', what: 'all projects, members, teams, tokens' },
  { role: 'member', what: 'work on issues of their teams’ projects' },
  { role: 'viewer', what: 'read their teams’ projects' },
] as const
