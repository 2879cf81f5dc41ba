/**
 * Questions of a search about releases beside their names: `release:latest`, `first_release:>=1.2`,
 * `release.stage:adopted`.
 */

export const RELEASE_STAGES = ['adopted', 'low_adoption', 'replaced'] as const
export type ReleaseStage = (typeof RELEASE_STAGES)[number]

export type ReleaseSign = '>=' | '<=' | '>' | '<'

export type ReleaseQuestion =
  | { readonly is: 'latest' }
  /** By all of its name, and where a project has none such, by what pages show of it. */
  | { readonly is: 'shown'; readonly pattern: string }
  | { readonly is: 'compared'; readonly sign: ReleaseSign; readonly version: string }
  | { readonly is: 'named'; readonly part: 'version' | 'package' | 'build'; readonly pattern: string }
  | { readonly is: 'built'; readonly least: number; readonly most: number }
  | { readonly is: 'staged'; readonly stage: ReleaseStage }
