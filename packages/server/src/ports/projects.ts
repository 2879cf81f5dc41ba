/** Projects and their keys. */
import type { KeyId, OrgId, ProjectId, TeamId } from '#base/ids.ts'
import type { RunningBuild } from '#model/known-deploys.ts'
import type { StatedRoute } from '#model/known-routes.ts'
import {
  PROJECT_SETTINGS,
  type ProjectOptions,
  type RateLimit,
  type SpanSampling,
} from '#model/project-options.ts'
import { defaultOptions, groupNames, valueAt } from '#model/setting-kinds.ts'
import type { Environment, EnvironmentFilter } from './environments.ts'
import type { NamesAsked } from './names.ts'
import type { OwnershipRead } from './ownership.ts'
import type { ReadScope } from './scope.ts'

export type { ProjectOptions, RateLimit, SpanSampling }
export type ScrubOptions = ProjectOptions['scrub']
export type FilterOptions = ProjectOptions['filters']

export const PROJECT_OPTIONS_DEFAULT: ProjectOptions = defaultOptions(PROJECT_SETTINGS)

type Given<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

/** Only what is given: the rest stays as it is, also inside `scrub` and `filters`. */
export type OptionsChange = Given<Omit<ProjectOptions, 'scrub' | 'filters'>> & {
  readonly scrub?: Given<ScrubOptions> | undefined
  readonly filters?: Given<FilterOptions> | undefined
}

const GROUPS = groupNames(PROJECT_SETTINGS)

export function mergeOptions(kept: ProjectOptions, change: OptionsChange): ProjectOptions {
  return { ...kept, ...givenFields(change), ...mergeGroups(kept, change) }
}

function mergeGroups(kept: object, change: object): object {
  const merged = GROUPS.map((name) => [
    name,
    { ...Object(valueAt(kept, [name])), ...givenFields(Object(valueAt(change, [name]) ?? {})) },
  ])
  return Object.fromEntries(merged)
}

function givenFields(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

/**
 * Fills in the defaults that stored options lack: those of an older version may lack a field that has a default now,
 * also inside `scrub` and `filters`.
 */
export function completeOptions(stored: OptionsChange): ProjectOptions {
  return mergeOptions(PROJECT_OPTIONS_DEFAULT, stored)
}

/** Removes leading zeros, so that numbers can be compared. */
export function withoutLeadingZeros(number: string): string {
  return number.replace(/^0+(?=\d)/, '')
}

/** Whether a client that names the number means the project. */
export function hasNumber({ id, options }: Pick<Project, 'id' | 'options'>, number: string): boolean {
  const plain = withoutLeadingZeros(number)
  return plain === String(id) || options.furtherNumbers.includes(plain)
}

/** Short form of a project for long lists. */
export type ProjectName = Pick<Project, 'id' | 'slug' | 'name' | 'isSelf' | 'firstEventMs'>

export interface ProjectNamesAsked extends NamesAsked<ProjectId> {
  readonly slugs?: readonly string[]
  /** Returns only projects with events, without Errata's own. */
  readonly hasEvents?: true
  readonly offset?: number
  readonly limit: number
}

/** Settings of a project that people can change. */
export interface ProjectSettings {
  readonly slug?: string
  readonly name?: string
  readonly platform?: string | null
  readonly options?: OptionsChange
}

/** The values that whoever changes them has seen, by the same names: where one is another now, nothing changes. */
export type SeenSettings = Readonly<Record<string, unknown>>

export interface Project {
  readonly id: ProjectId
  readonly orgId: OrgId
  readonly slug: string
  /** Earlier slugs: they lead to the project, and no other project may take them. */
  readonly formerSlugs: readonly string[]
  readonly name: string
  readonly platform: string | null
  readonly teams: readonly TeamId[]
  readonly options: ProjectOptions
  /** True for the project that Errata reports its own failures to. */
  readonly isSelf: boolean
  readonly createdMs: number
  readonly firstEventMs: number | null
}

export interface ProjectKey {
  readonly id: KeyId
  readonly projectId: ProjectId
  /** 32 lower-case hex characters. */
  readonly public: string
  readonly name: string
  readonly isActive: boolean
  readonly rateLimit: RateLimit | null
  readonly createdMs: number
  /** Last envelope accepted, to the minute. */
  readonly usedMs: number | null
}

/** Everything accept and process need to know of projects: read whole at the start, then by `DirectoryChange`. */
export interface IngestDirectory {
  /** Version of the directory (`directoryVersion`); if left out, changes cannot follow it. */
  readonly version?: number
  readonly organisations: readonly { readonly id: OrgId; readonly slug: string }[]
  readonly projects: readonly Project[]
  readonly keys: readonly ProjectKey[]
  /** Routes that SDKs stated; none if left out. */
  readonly routes?: readonly (StatedRoute & { readonly projectId: ProjectId })[]
  /** Two newest builds of each environment of a project; none if left out. */
  readonly builds?: readonly (RunningBuild & { readonly projectId: ProjectId })[]
}

/** Difference between two versions of the directory. */
export interface DirectoryChange {
  /** The version that it changes. */
  readonly from: number
  /** Changed projects: replaced by what `now` holds, deleted if it does not hold them. */
  readonly projects: readonly ProjectId[]
  /** New state of those projects and of all organisations, with the version it makes. */
  readonly now: IngestDirectory & { readonly version: number }
}

/** Number of a category's items in one hour of receipt, by what happened to them. */
export interface HourVolume {
  readonly hourMs: number
  /** Items that accept let in, whether stored, filtered or duplicate. */
  readonly admitted: number
  /** Items that spike protection refused, and since when. */
  readonly capped: number
  readonly firstCappedMs: number | null
}

export interface ProjectsRead extends OwnershipRead {
  /** Returns the directory for accept and process, not for people. */
  ingestDirectory(): Promise<IngestDirectory>
  /** `null`: so much changed since that all of it is to be read anew. */
  directoryChange(from: number): Promise<DirectoryChange | null>
  /** Changes whenever the directory changed, whichever process changed it. Cheap enough to ask every second. */
  directoryVersion(): Promise<number>
  /** Returns volumes by hour for accept, not for people. Empty hours are absent; ordered by time. */
  hourlyVolume(project: ProjectId, category: string, sinceMs: number): Promise<readonly HourVolume[]>
  /** Sorted by name. Only those of the scope. */
  projects(scope: ReadScope): Promise<readonly Project[]>
  /**
   * Returns matching projects of the scope: an equal slug first, then names that begin with the text, by
   * name. `total` is the number of matches.
   */
  projectNames(
    scope: ReadScope,
    asked: ProjectNamesAsked,
  ): Promise<{ readonly rows: readonly ProjectName[]; readonly total: number }>
  /** By slug, former slug or decimal id; `null` when absent or outside the scope. */
  project(scope: ReadScope, slugOrId: string): Promise<Project | null>
  keys(scope: ReadScope, project: ProjectId): Promise<readonly ProjectKey[]>
  /** Returns environments that events or settings name, project by project in their order. */
  environments(scope: ReadScope, filter: EnvironmentFilter): Promise<readonly Environment[]>
  /** Returns how much deleting the project would delete. */
  size(scope: ReadScope, project: ProjectId): Promise<{ issues: number; events: number; keys: number }>
}
