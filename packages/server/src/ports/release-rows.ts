/** Releases, as a transaction that changes some asks for them. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import type { Deploy, ReleaseChange, ReleaseCommit, ReleasePlace } from './releases.ts'

/** A part of a version: what is said of one belongs to the projects it is said of, spoken of together. */
export interface ReleasePart {
  readonly id: number
  /** True if somebody said something of it: events alone name it and say nothing. */
  readonly isSpokenOf: boolean
  readonly projects: readonly ProjectId[]
}

export interface ReleaseRows {
  /** Finds the parts of a version that have a readable project, oldest first. */
  parts(place: ReleasePlace): Promise<readonly ReleasePart[]>
  /** Returns the readable ones that are projects of the organisation. */
  projectsWithin(place: ReleasePlace, projects: readonly ProjectId[]): Promise<readonly ProjectId[]>
  /** Makes room for a release of each project, where there is too little; answers whether there is. */
  makeRoom(org: OrgId, projects: readonly ProjectId[], atMs: number): Promise<boolean>
  begin(place: ReleasePlace, atMs: number): Promise<number>
  addProject(part: number, project: ProjectId): Promise<void>
  /** Moves a project to another part; one that has none left goes. */
  moveProject(project: ProjectId, from: number, into: number): Promise<void>
  /** Writes what is said of parts; answers what is another now. */
  write(parts: readonly number[], change: ReleaseChange): Promise<readonly string[]>
  /** Puts commits in place of those that a part had. Issues that waited for one of them are resolved in it. */
  setCommits(part: number, version: string, commits: readonly ReleaseCommit[]): Promise<void>
  /** Beyond `deploysPerReleaseMax` the oldest go; answers its id. */
  addDeploy(part: number, deploy: Omit<Deploy, 'id'>): Promise<number>
  /** Removes parts, and what is known of their health in the readable projects. */
  remove(parts: readonly number[], place: ReleasePlace): Promise<void>
}
