/**
 * Which tags are counted apart. A group keeps `facetKeysMax` keys with `facetValuesMax` values each, a project
 * `facetKeysPerProjectMax` keys; keys that Errata derives itself are kept whatever the number, so that made-up keys
 * cannot push `release` or `environment` out. What is beyond is counted as other.
 */
import { max } from '#limits/limits.ts'

/** Counted beside the bounds of keys, of a group as of a project. */
export const DERIVED_KEYS: ReadonlySet<string> = new Set([
  ...[
    'browser',
    'device',
    'dist',
    'environment',
    'errata.skew',
    'handled',
    'level',
    'os',
    'release',
    'request_kind',
  ],
  ...['route', 'runtime', 'server_name', 'trace', 'transaction', 'url', 'user'],
])

/** A key that its group does not keep yet. The app's own keys are those that Errata does not derive. */
export interface NewKey {
  readonly isDerived: boolean
  readonly isInProject: boolean
  readonly ownInProject: number
  /** A key all of whose values are other is kept as well. Decides nothing of a derived one. */
  readonly ownInGroup: number
}

/** Whether the group keeps the key from now on, and with it the project. */
export function mayKeepKey({ isDerived, isInProject, ownInProject, ownInGroup }: NewKey): boolean {
  if (isDerived) return true
  return (isInProject || projectHasRoom(ownInProject)) && ownInGroup < max('facetKeysMax')
}

/** True if one more key of the app's own fits. */
function projectHasRoom(ownInProject: number): boolean {
  return ownInProject < max('facetKeysPerProjectMax')
}

/** True if a group that keeps so many values of a key keeps one more. */
export function mayKeepValue(valuesKept: number): boolean {
  return valuesKept < max('facetValuesMax')
}

/**
 * Decides what the project makes of a tag that its group has no room for: counts its value, counts it among
 * keys that are not kept, or does nothing if another group may still bring the key in.
 */
export function placeBeyond({
  isInProject,
  ownInProject,
}: Pick<NewKey, 'isInProject' | 'ownInProject'>): 'value' | 'other_keys' | 'nothing' {
  if (isInProject) return 'value'
  return projectHasRoom(ownInProject) ? 'nothing' : 'other_keys'
}
