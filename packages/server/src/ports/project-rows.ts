/** Projects as a transaction that changes some asks for them. */
import type { KeyId, OrgId, ProjectId } from '#base/ids.ts'
import type { PersonDeletion } from './care.ts'
import type { Project, ProjectKey } from './projects.ts'

export interface ProjectRows {
  /** Finds it by its id; `null`: the organisation has none such. */
  one(org: OrgId, id: ProjectId): Promise<Project | null>
  /** Finds a key of the project, which is the organisation's. */
  key(org: OrgId, project: ProjectId, id: KeyId): Promise<ProjectKey | null>
  /**
   * Removes it with its keys, issues, groups and counts, and leaves a tombstone for its events. Its slugs keep the number
   * of its last issue; mirrors and failures of other projects have issues of their own again.
   */
  remove(project: Project, atMs: number): Promise<void>
  /** Takes a person out of all that is counted of the project; counts stay, as "other". */
  forgetPerson(deletion: PersonDeletion): Promise<void>
}
