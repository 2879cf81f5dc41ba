/** Environments of a project: those that its events and deploys name, and what people say of them. */
import type { ProjectId } from '#base/ids.ts'

export interface Environment {
  readonly projectId: ProjectId
  readonly name: string
  /** Left out of menus and suggestions, never of what is found. */
  readonly isHidden: boolean
  /** From 0; `null`: nobody gave it one. */
  readonly position: number | null
  readonly eventCount: number
  /** The newest event or deploy. */
  readonly lastSeenMs: number
}

export interface EnvironmentFilter {
  /** Projects to read; `null` for all of the scope. */
  readonly projects: readonly ProjectId[] | null
  /** `events`: of those alone, which is what issues can be narrowed to. */
  readonly of: 'events' | 'events and deploys'
}

/** Settings of an environment; it need not have events. */
export type EnvironmentSetting = Pick<Environment, 'name' | 'isHidden' | 'position'>
