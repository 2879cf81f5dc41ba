/** Why the map of a place is found or not, step by step: for people who ask, not for the beats. */
import type { RanFile, Unresolved } from '#model/map-lookup.ts'
import type { Project } from '#ports/projects.ts'

/** A place in a file that ran; without a line the file alone is looked up. */
export interface RanPlace extends RanFile {
  readonly line: number | null
  readonly column: number | null
}

export type LookUpStepName =
  | 'debug_id'
  | 'map_of_debug_id'
  | 'release'
  | 'address'
  | 'elsewhere'
  | 'opens'
  | 'position'
  | 'source'

/** Steps of the look-up, in order. */
export interface LookUpStep {
  readonly name: LookUpStepName
  /** `skipped`: another step had settled it, or it was not reached. */
  readonly state: 'yes' | 'no' | 'skipped'
  /** Detail of a step, such as the address found or the addresses tried; may be empty. */
  readonly detail: string
}

export interface LookUp {
  /** `null`: the place is found, with its source. */
  readonly why: Unresolved | null
  readonly steps: readonly LookUpStep[]
  readonly original: {
    readonly source: string
    readonly line: number
    readonly column: number
    readonly functionName: string | null
  } | null
}

export interface LookUps {
  /** Returns one answer per place, in the order asked. */
  lookUp(project: Pick<Project, 'id' | 'orgId'>, places: readonly RanPlace[]): Promise<readonly LookUp[]>
}
