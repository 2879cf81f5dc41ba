/** Types of reads and counts of events over projects. */
import type { GroupHash, ProjectId } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { CountedValue, Issue } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
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

/** Columns by which events can be counted: each holds one value per row. */
const TALLY_COLUMNS = [
  ...(['projectId', 'groupHash', 'level', 'platform', 'title', 'culprit', 'environment'] as const),
  ...(['release', 'dist', 'transaction', 'browser', 'os', 'runtime', 'device', 'serverName'] as const),
  ...(['url', 'user', 'handled', 'requestKind', 'route', 'category'] as const),
] as const
export type TallyColumn = (typeof TALLY_COLUMNS)[number]

export interface TallyAsked {
  readonly by: readonly TallyColumn[]
  /** Step from the start of the filter's range; `null` for one bucket. */
  readonly stepMs: number | null
  /** Whether distinct users are counted: `null` otherwise. */
  readonly users: boolean
  /** Values of `by`, those with most events first; what is beyond is left out. */
  readonly limit: number
}

export interface Tally {
  /** Values in the order of `by`. */
  readonly values: readonly (string | number | boolean | null)[]
  /** How many steps after the start of the range; 0 without steps. */
  readonly step: number
  readonly count: number
  readonly users: number | null
  readonly firstMs: number
  readonly lastMs: number
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
