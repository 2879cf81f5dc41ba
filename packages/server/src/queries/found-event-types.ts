/** Types of reads and counts of events over projects. */
import type { GroupHash, ProjectId } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { CountedValue, Issue } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Tally, TallyAsked } from '#ports/telemetry.ts'
import type { DatasetQueries } from './dataset-types.ts'
import type { SearchProblem } from './search-words.ts'
import type { TimeRange } from './time-range.ts'

export interface EventsAsked {
  /** `null`: all that may be read. */
  readonly projects: readonly ProjectId[] | null
  readonly environments: readonly string[]
  /** Search as in the table of an issue's events; `issue:` names an issue. */
  readonly query: string
  readonly range: TimeRange
}

export interface FoundEvents {
  readonly rows: readonly { readonly row: EventRow; readonly issue: Issue }[]
  readonly nextCursor: string | null
  readonly problems: readonly SearchProblem[]
}

export interface CountedEvents {
  readonly tallies: readonly Tally[]
  readonly problems: readonly SearchProblem[]
}

/** Reads errors by questions of their own, and any kind of rows by what its dataset says. */
export interface FoundEventQueries extends DatasetQueries {
  eventsFound(
    scope: ReadScope,
    asked: EventsAsked & { readonly limit: number; readonly cursor: string | null },
  ): Promise<FoundEvents>
  eventsCounted(scope: ReadScope, asked: EventsAsked & TallyAsked): Promise<CountedEvents>
  /** Issues that own the groups, by `groupKey`. */
  issuesOfGroups(
    scope: ReadScope,
    groups: readonly { readonly projectId: ProjectId; readonly hash: GroupHash }[],
  ): Promise<ReadonlyMap<string, Issue>>
}

export interface TagQueries {
  /** Keys of tags that events of the projects carry, with how many do; `null`: all projects that may be read. */
  tagKeys(scope: ReadScope, projects: readonly ProjectId[] | null): Promise<readonly CountedValue[]>
  /** Values of one tag that begin so, most frequent first, at most `limit`. */
  tagValues(
    scope: ReadScope,
    asked: {
      readonly projects: readonly ProjectId[] | null
      readonly key: string
      readonly prefix: string
      readonly limit: number
    },
  ): Promise<readonly CountedValue[]>
}
