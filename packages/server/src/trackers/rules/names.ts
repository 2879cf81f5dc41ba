/** Names of trackers in an issue's records. */
import type { TrackerKind } from '#ports/trackers.ts'

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
