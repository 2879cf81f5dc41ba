/** Affected people, over all projects of a scope. */
import type { Day, EventId, ProjectId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { Level, RequestKind } from '#model/event.ts'
import type { RequestEnd } from '#model/span.ts'
import type { Issue } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { PersonItemData } from './person-data.ts'

/** Somebody whom stored events or requests name. */
export interface FoundPerson {
  /** The most lasting of the names, as rows have it: `id:42`. */
  readonly key: string
  /** All that they are called, the key among them; at most `peopleNamesMax`. */
  readonly names: readonly string[]
  /** Events and requests that say so, of what was looked at. */
  readonly rows: number
  /** Errors among them. */
  readonly errors: number
  readonly lastMs: number
  readonly projects: readonly ProjectId[]
}

export interface FoundPeople {
  readonly people: readonly FoundPerson[]
  /** False where looking took too long: older days were left out. */
  readonly isComplete: boolean
  /** Oldest day that was looked at; `null` if none was. */
  readonly fromDay: Day | null
}

export interface PeopleSearch {
  /** A part of an id, an email, a name or an address; empty: those seen last. */
  readonly text: string
  readonly limit?: number
  /** `peopleFoundMs` at most. */
  readonly forMs?: number
}

/** Thing that a person met or did. */
export interface PersonItem {
  readonly kind: 'error' | 'page' | 'click' | 'input' | 'request' | 'action' | 'other'
  readonly atMs: number
  readonly durationMs: number | null
  readonly projectId: ProjectId
  readonly text: string
  readonly release: string | null
  /** Browser and system, as far as they are known. */
  readonly device: string | null
  readonly level: Level | null
  readonly end: RequestEnd | null
  readonly requestKind: RequestKind | null
  /** Issue of an error, or of that whose breadcrumbs tell the item; `null` for requests, and if the issue is gone. */
  readonly issue: { readonly shortId: string; readonly eventId: EventId } | null
  readonly trace: { readonly traceId: string; readonly spanId: string | null } | null
}

export interface PersonInProject {
  readonly projectId: ProjectId
  readonly events: number
  readonly traces: number
  /** Rows of other datasets. */
  readonly others: number
}

export interface PersonView {
  readonly key: string
  /** Other names of theirs, with how many events and requests say both. */
  readonly names: readonly { readonly name: string; readonly rows: number }[]
  readonly projects: readonly PersonInProject[]
  readonly events: number
  readonly traces: number
  readonly others: number
  /** More than could be told apart. */
  readonly isTracesBounded: boolean
  readonly issues: readonly { readonly issue: Issue; readonly events: number; readonly lastMs: number }[]
  readonly isIssuesBounded: boolean
  readonly firstMs: number | null
  readonly lastMs: number | null
  /** Newest first. */
  readonly items: readonly PersonItem[]
  /** Time where older items begin; `null` if there are none. */
  readonly nextBeforeMs: number | null
  /** Errors of the page, and those of them whose breadcrumbs were read. */
  readonly crumbs: { readonly errors: number; readonly read: number }
}

export interface PersonAsked {
  readonly key: string
  readonly beforeMs: number | null
  /** Errors alone, which go further back than all that was met. */
  readonly isErrorsOnly?: boolean
}

export interface PeopleQueries {
  /**
   * Finds people by a part of a name in any project of the scope; the best match first, then who was seen
   * last.
   */
  peopleFound(scope: ReadScope, asked: PeopleSearch): Promise<FoundPeople>
  /** `null`: the key names nobody that could be stored. */
  person(scope: ReadScope, asked: PersonAsked): Promise<PersonView | null>
  /** Returns the one spelling of a person's name: `id:42` of `42`; `null` for what could be nobody's. */
  personKeyOf(text: string): string | null
  /** Returns data as `personData` does, over all projects of the scope that have any. */
  everyPersonData(
    scope: ReadScope,
    key: string,
  ): Promise<Result<AsyncGenerator<readonly (PersonItemData & { readonly projectId: ProjectId })[]>>>
}
