/** What tools and people say of releases. */
import { ok, type Result } from '#base/result.ts'
import { withRelease } from '#issues/resolution.ts'
import { max } from '#limits/limits.ts'
import { RELEASE_REFUSALS } from '#model/release-rules.ts'
import type { Commit, ReleaseChange, ReleasePlace, ReleasesWrite } from '#ports/releases.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAudit } from '../rows/audit.ts'
import type { ReleaseRow, Tables } from '../tables.ts'
import { forgetHealth } from './health.ts'
import { findVisible, insertRelease, NOTHING_SEEN, releasedAt } from './release-rows.ts'

export function releasesWrite(to: Tables): ReleasesWrite {
  return {
    putRelease: async (place, change, actor) => to.transaction(() => put(to, { place, change }, actor)),
    setCommits: async (place, commits) => to.transaction(() => setCommits(to, place, commits)),
    addDeploy: async (place, deploy) =>
      to.transaction(() => {
        const release = findVisible(to, place)
        if (release === undefined) return RELEASE_REFUSALS.noRelease()
        const added = { ...deploy, id: to.deployIds.nextId() }
        const deploys = [added, ...release.deploys].slice(0, max('deploysPerReleaseMax'))
        to.releases.change(release.id, { deploys })
        return ok(added)
      }),
    deleteRelease: async (place, actor) =>
      to.transaction(() => {
        const release = findVisible(to, place)
        if (release === undefined) return RELEASE_REFUSALS.noRelease()
        const isOfOthers = [...release.projects.keys()].some((id) => !place.readable.includes(id))
        if (isOfOthers) return RELEASE_REFUSALS.ofOthers()
        to.releases.delete(release.id)
        forgetHealth(to, place)
        writeAudit(to, place.orgId, actor, { action: 'release.deleted', target: place.version })
        return ok(null)
      }),
  }
}

function put(
  to: Tables,
  { place, change }: { readonly place: ReleasePlace; readonly change: ReleaseChange },
  { atMs }: Actor,
): Result<{ readonly isNew: boolean }> {
  const { orgId, version, readable } = place
  const { projects: named = [], ...facts } = change
  const projects = named.filter((id) => readable.includes(id) && to.projects.get(id)?.orgId === orgId)
  const there = to.releases.find((each) => each.orgId === orgId && each.version === version)
  if (there === undefined || (projects.length === 0 && findVisible(to, place) === undefined)) {
    if (projects.length === 0) return RELEASE_REFUSALS.noProjects()
    if (to.releases.where((each) => each.orgId === orgId).length >= max('releasesPerOrgMax'))
      return RELEASE_REFUSALS.tooMany()
  }
  const release = there ?? insertRelease(to, { orgId, version, createdMs: atMs })
  const all = new Map(release.projects)
  for (const id of projects) if (!all.has(id)) all.set(id, NOTHING_SEEN)
  to.releases.change(release.id, { ...facts, projects: all })
  return ok({ isNew: there === undefined })
}

function setCommits(to: Tables, place: ReleasePlace, all: readonly Commit[]): Result<null> {
  const release = findVisible(to, place)
  if (release === undefined) return RELEASE_REFUSALS.noRelease()
  const commits = all.slice(0, max('commitsPerReleaseMax'))
  to.releases.change(release.id, { commits })
  settleIssues(to, release, new Set(commits.map(({ id }) => id)))
  return ok(null)
}

function settleIssues(to: Tables, release: ReleaseRow, commits: ReadonlySet<string>): void {
  for (const issue of to.issues.where(({ projectId }) => release.projects.has(projectId))) {
    const resolvedIn = withRelease(issue.resolvedIn, releasedAt(release), commits)
    if (resolvedIn !== null) to.issues.change(issue.id, { resolvedIn })
  }
}
