/** Reads of stored rows by whom they name, of any kind whose rows name people. */
import type { ProjectId, Seq } from '#base/ids.ts'
import type { FileName, KindName } from '#model/file-name.ts'
import type { PersonEvents } from './care.ts'
import type { ReadScope } from './scope.ts'

/** Rows that name the same people. */
export interface NamedTogether {
  /** Kind of the rows. */
  readonly kind: KindName
  readonly projectId: ProjectId
  /** Names as in the rows' `people`. */
  readonly names: readonly string[]
  readonly rows: number
  readonly firstMs: number
  readonly lastMs: number
}

export interface PeopleAsked {
  readonly files: readonly FileName[]
  /** Rows that name this one. */
  readonly person?: string
  /** A part of a name that the rows must have, letters in any case. */
  readonly text?: string
  /** Names read of each file at most, those seen last first. */
  readonly limit: number
}

/** Rows that are stored of one person in a project. */
export interface PersonRows {
  readonly projectId: ProjectId
  readonly rows: number
  /** Traces that they are of, each once; as many as `personTracesMax` are told apart. */
  readonly traces: number
  readonly firstMs: number
  readonly lastMs: number
}

export interface PeopleReads {
  /**
   * Reads who is named together, by the rows seen last; files that cannot be read in `forMs` are left out by
   * a `store_timeout`.
   */
  people(scope: ReadScope, asked: PeopleAsked, forMs?: number): Promise<readonly NamedTogether[]>
  /** Reads what names the person, project by project. */
  personRows(
    scope: ReadScope,
    of: { readonly person: string; readonly files: readonly FileName[] },
  ): Promise<readonly PersonRows[]>
  /** Visible events of a person in one project, and whose names go with them; of those up to a seq, where one is given. */
  personEvents(project: ProjectId, person: string, upToSeq?: Seq): Promise<PersonEvents>
}
