/** Every issue tracker that Errata knows. */
import type { TrackerKind } from '#ports/trackers.ts'
import { withinPlaces } from '../places.ts'
import type { TrackerType } from '../tracker-type.ts'
import { GITEA } from './gitea.ts'
import { GITHUB } from './github.ts'
import { GITLAB } from './gitlab.ts'
import { JIRA } from './jira.ts'
import { LINEAR } from './linear.ts'

export const TRACKER_TYPES: Readonly<Record<TrackerKind, TrackerType>> = {
  github: withinPlaces(GITHUB),
  gitlab: withinPlaces(GITLAB),
  gitea: withinPlaces(GITEA),
  jira: withinPlaces(JIRA),
  linear: withinPlaces(LINEAR),
}
