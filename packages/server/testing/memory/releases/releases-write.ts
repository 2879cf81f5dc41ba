/** What tools and people say of releases. */
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { withRelease } from '#issues/resolution.ts'
import { max } from '#limits/limits.ts'
import { RELEASE_REFUSALS } from '#model/release-rules.ts'
import type { Commit, ReleaseChange, ReleasePlace, ReleasesWrite } from '#ports/releases.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAudit } from '../rows/audit.ts'
import type { ReleaseRow, Tables } from '../tables.ts'
import { forgetHealth } from './health.ts'
import { insertRelease, NOTHING_SEEN, partsOf, releasedAt, takeFrom } from './release-rows.ts'

export function releasesWrite(to: Tables): ReleasesWrite {
  return {
    putRelease: async (place, change, actor) => to.transaction(() => put(to, { place, change }, actor)),
    setCommits: async (place, commits, actor) =>
      to.transaction(() => setCommits(to, { place, all: commits }, actor)),
    addDeploy: async (place, deploy, actor) =>
      to.transaction(() => {
        const parts = partsOf(to, place)
        if (parts.length === 0) return RELEASE_REFUSALS.noRelease()
        const added = { ...deploy, id: to.deployIds.nextId() }
        for (const { id, deploys } of parts)
          to.releases.change(id, { deploys: [added, ...deploys].slice(0, max('deploysPerReleaseMax')) })
        const detail = { environment: deploy.environment }
        writeAudit(to, place.orgId, actor, { action: 'release.deployed', target: place.version, detail })
        return ok(added)
      }),
    deleteRelease: async (place, actor) =>
      to.transaction(() => {
        const parts = partsOf(to, place)
        if (parts.length === 0) return RELEASE_REFUSALS.noRelease()
        const isOfOthers = parts.some(({ projects }) =>
          [...projects.keys()].some((id) => !place.readable.includes(id)),
        )
        if (isOfOthers) return RELEASE_REFUSALS.ofOthers()
        for (const { id } of parts) to.releases.delete(id)
        forgetHealth(to, place)
        writeAudit(to, place.orgId, actor, { action: 'release.deleted', target: place.version })
        return ok(null)
      }),
  }
}

function put(
  to: Tables,
  { place, change }: { readonly place: ReleasePlace; readonly change: ReleaseChange },
  actor: Actor,
): Result<{ readonly isNew: boolean }> {
  const { orgId, version, readable } = place
  const { projects: named = [], ...facts } = change
  const projects = named.filter((id) => readable.includes(id) && to.projects.get(id)?.orgId === orgId)
  const parts = partsOf(to, place)
  const isNew = parts.length === 0
  if (isNew) {
    if (projects.length === 0) return RELEASE_REFUSALS.noProjects()
    if (to.releases.where((each) => each.orgId === orgId).length >= max('releasesPerOrgMax'))
      return RELEASE_REFUSALS.tooMany()
  }
  const main =
    parts.find(isSpokenOf) ?? parts[0] ?? insertRelease(to, { orgId, version, createdMs: actor.atMs })
  const added = projects.filter((project) => takeIn(to, { main: main.id, parts, project }))
  const before = partsOf(to, place)
  for (const { id } of before) to.releases.change(id, facts)
  const columns = Object.entries(facts).filter(([key, value]) =>
    before.some((each) => Object.entries(each).some(([name, was]) => name === key && was !== value)),
  )
  if (isNew || added.length > 0 || columns.length > 0) {
    const detail = {
      projects: added.join(', '),
      changed: columns.map(([key]) => COLUMNS[key] ?? key).join(', '),
    }
    const action = isNew ? 'release.created' : 'release.changed'
    writeAudit(to, orgId, actor, { action, target: version, detail })
  }
  return ok({ isNew })
}

const COLUMNS: Readonly<Record<string, string>> = { startedMs: 'started_ms', releasedMs: 'released_ms' }

function isSpokenOf({ ref, url, startedMs, releasedMs, status, commits, deploys }: ReleaseRow): boolean {
  const isNamed = [ref, url, startedMs, releasedMs].some((each) => each !== null)
  return isNamed || status !== 'open' || commits.length > 0 || deploys.length > 0
}

function takeIn(
  to: Tables,
  { main, parts, project }: { main: number; parts: readonly ReleaseRow[]; project: ProjectId },
): boolean {
  const own = parts.find(({ projects }) => projects.has(project))
  if (own !== undefined && (own.id === main || isSpokenOf(own))) return false
  const into = to.releases.get(main)
  if (into === undefined) return false
  const seen = own?.projects.get(project) ?? NOTHING_SEEN
  const environments = new Map(into.environments)
  const counts = own?.environments.get(project)
  if (counts !== undefined) environments.set(project, counts)
  if (own !== undefined) takeFrom(to, own, project)
  to.releases.change(main, { projects: new Map(into.projects).set(project, seen), environments })
  return true
}

function setCommits(
  to: Tables,
  { place, all }: { readonly place: ReleasePlace; readonly all: readonly Commit[] },
  actor: Actor,
): Result<null> {
  const parts = partsOf(to, place)
  if (parts.length === 0) return RELEASE_REFUSALS.noRelease()
  const commits = all.slice(0, max('commitsPerReleaseMax'))
  for (const part of parts) {
    to.releases.change(part.id, { commits })
    settleIssues(to, part, new Set(commits.map(({ id }) => id)))
  }
  const detail = { commits: commits.length }
  writeAudit(to, place.orgId, actor, { action: 'release.commits_set', target: place.version, detail })
  return ok(null)
}

function settleIssues(to: Tables, release: ReleaseRow, commits: ReadonlySet<string>): void {
  for (const issue of to.issues.where(({ projectId }) => release.projects.has(projectId))) {
    const resolvedIn = withRelease(issue.resolvedIn, releasedAt(release), commits)
    if (resolvedIn !== null) to.issues.change(issue.id, { resolvedIn })
  }
}
