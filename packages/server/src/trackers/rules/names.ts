/** Names of trackers in an issue's records. */
import { assert } from '#base/errors.ts'
import { TRACKER_KINDS, type TrackerKind } from '#ports/trackers.ts'

const NAMES: Readonly<Record<TrackerKind, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  jira: 'Jira',
  linear: 'Linear',
}

/** Whoever did something there, as a record names them: `GitHub acme/shop#12`. */
export function nameOfTracker(kind: TrackerKind, ref: string): string {
  return `${NAMES[kind]} ${ref}`
}

/** Reads a kind as it is stored. */
export function readTrackerKind(stored: string): TrackerKind {
  const kind = TRACKER_KINDS.find((each) => each === stored)
  assert(kind !== undefined, 'a tracker is of a known kind')
  return kind
}
