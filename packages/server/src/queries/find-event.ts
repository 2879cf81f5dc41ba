/** Finds an event by its id alone. */
import type { EventId, ProjectId } from '#base/ids.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventIds, EventReads } from '#ports/telemetry.ts'

/** The newest event of the id within the scope, or within one project of it; `null` when there is none. */
export type FindEvent = (scope: ReadScope, id: EventId, project?: ProjectId) => Promise<EventRow | null>

export interface FindEventParts {
  readonly eventIds: Pick<EventIds, 'find'>
  readonly telemetry: Pick<EventReads<EventRow>, 'event'>
}

const PROJECTS_AT_ONCE = 50

export function createFindEvent({ eventIds, telemetry }: FindEventParts): FindEvent {
  const inProject = async (scope: ReadScope, project: ProjectId, id: EventId): Promise<EventRow | null> => {
    for (const file of await eventIds.find(project, id, ERROR)) {
      const row = await telemetry.event(scope, file, project, id)
      if (row !== null) return row
    }
    return null
  }
  return async (scope, id, project) => {
    if (project !== undefined) {
      return scope.projects.includes(project) ? inProject(scope, project, id) : null
    }
    for (let at = 0; at < scope.projects.length; at += PROJECTS_AT_ONCE) {
      const some = scope.projects.slice(at, at + PROJECTS_AT_ONCE)
      const rows = await Promise.all(some.map((each) => inProject(scope, each, id)))
      const [newest] = rows.filter((row) => row !== null).sort((a, b) => b.receivedMs - a.receivedMs)
      if (newest !== undefined) return newest
    }
    return null
  }
}
