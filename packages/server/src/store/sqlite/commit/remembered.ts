/** All that the commit remembers, each said beside the stage that keeps it. */
import type { ProjectId } from '#base/ids.ts'
import { OwnershipCompiler } from '#issues/ownership/compiled.ts'
import { max } from '#limits/limits.ts'
import { rememberWatches } from '../alerts/known-rules.ts'
import { rememberGroups } from '../ingest/group-rows.ts'
import { rememberIssues } from '../ingest/known-issues.ts'
import { rememberTags } from '../ingest/tags-of-batch.ts'
import type { Memory } from '../memory.ts'
import { rememberReleases } from '../releases/known-releases.ts'
import { rememberRequests } from '../requests/known-requests.ts'

export type Remembered = ReturnType<typeof rememberAll>

export function rememberAll(memory: Memory) {
  const perProject = { most: max('projectCountsRememberedMax') }
  return {
    groups: rememberGroups(memory),
    issues: rememberIssues(memory),
    tags: rememberTags(memory),
    releases: rememberReleases(memory),
    requests: rememberRequests(memory),
    watches: rememberWatches(memory),
    /** Failures that are kept of a project: counting them anew costs a walk over all. */
    failures: memory.keep<ProjectId, number>(perProject),
    /** Sessions of a project that may still change: the same. */
    sessions: memory.keep<ProjectId, number>({ ...perProject, staysTrue: true }),
    /** By the text of the rules: it follows from nothing else. */
    owners: new OwnershipCompiler(),
  }
}
