/** Deploy skew, from maps of rows. */
import { encodeUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { KnownBuild, SkewRead } from '#ports/skew.ts'
import { SLOT_MS } from '#skew/clicks.ts'
import { readableProjects } from '../rows/readable.ts'
import type { ReleaseRow, Tables } from '../tables.ts'

export function skewRead(of: Tables): SkewRead {
  return {
    staleSums: async (scope, { projects, startMs, endMs }) => {
      const readable = readableProjects(of, scope, projects)
      const [start, end] = [Math.floor(startMs / SLOT_MS), Math.ceil(endMs / SLOT_MS)]
      const rows = of.staleSeries.where(({ projectId }) => readable.has(projectId))
      return rows.flatMap((row) => {
        const slots = [...row.slots]
          .filter(([slot]) => slot >= start && slot < end)
          .sort(([a], [b]) => a - b)
          .map(([slot, { count, users }]) => ({
            ...{ startMs: slot * SLOT_MS, count },
            users: { isExact: users.isExact, state: encodeUsers(users) },
          }))
        return slots.length === 0 ? [] : [{ ...row, slots }]
      })
    },
    knownBuilds: async (scope, projects) => {
      const readable = readableProjects(of, scope, projects)
      const all = allBuilds(of).filter(({ projectId }) => readable.has(projectId))
      return [...all].sort((a, b) => b.atMs - a.atMs).slice(0, max('skewBuildsReadMax'))
    },
  }
}

export function allBuilds(of: Tables): readonly KnownBuild[] {
  return of.releases.all().flatMap(buildsOf)
}

function buildsOf({
  version,
  projects,
  environments,
  deploys,
  releasedMs,
  createdMs,
}: ReleaseRow): readonly KnownBuild[] {
  return [...projects].flatMap(([projectId, { firstEventMs }]) => {
    const told = deploys.map(({ environment, finishedMs }) => ({
      ...{ projectId, environment, version, atMs: finishedMs, isDeploy: true },
    }))
    const named = [...(environments.get(projectId)?.keys() ?? [])]
    const atMs = releasedMs ?? Math.min(createdMs, firstEventMs ?? createdMs)
    const seen = (named.length === 0 ? [''] : named).map((environment) => ({
      ...{ projectId, environment, version, atMs, isDeploy: false },
    }))
    return [...told, ...seen]
  })
}
