/** Deletion with events: their tombstones are written, and queries hide them before anybody is answered. */
import type { ProjectId } from '#base/ids.ts'

export type Deleted = 'issues' | 'people' | { readonly project: ProjectId }
