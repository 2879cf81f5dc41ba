/**
 * Deleted and expired rows: every query leaves them out at once, and compaction removes them from disk. One
 * set of rules for both, so that compaction changes no answer.
 */
import { type Day, type GroupHash, type ProjectId, type Seq, groupHash as toGroupHash } from '#base/ids.ts'
import type { RowValues, StoredRow } from './fields.ts'
import type { FileName, KindName } from './file-name.ts'

/** A deletion that every query applies until compaction makes it physical. */
export interface Tombstone {
  readonly projectId: ProjectId
  /** `null`: every group of the project. */
  readonly hash: GroupHash | null
  readonly upToSeq: Seq
}

/** A person's events of one project are deleted up to a seq. */
export interface PersonTombstone {
  readonly projectId: ProjectId
  /** Person of a row's `people`: `id:…`, `email:…` (lower case), `username:…` or `ip:…`. */
  readonly person: string
  readonly upToSeq: Seq
}

/** So many whole days of receipt a project keeps what it was sent, beside today. */
export interface Period {
  readonly projectId: ProjectId
  /** `null`: every kind that has no period of its own. */
  readonly kind: KindName | null
  readonly days: number
}

export interface Hidden {
  readonly tombstones: readonly Tombstone[]
  readonly people: readonly PersonTombstone[]
  readonly periods: readonly Period[]
}

export const NOTHING_HIDDEN: Hidden = { tombstones: [], people: [], periods: [] }

/** True for a day of receipt that is older than `days` on the day `today`. */
export function isPast(received: Day, days: number, today: Day): boolean {
  return received + days < today
}

/** `Hidden` for one day, prepared for being asked often. */
export class HiddenRules {
  readonly today: Day
  readonly #projects = new Map<ProjectId, number>()
  readonly #groups = new Map<string, Tombstone & { readonly hash: GroupHash }>()
  readonly #people = new Map<string, PersonTombstone>()
  /** Days by project, of each kind. */
  readonly #periods = new Map<KindName | null, Map<ProjectId, number>>()

  constructor({ tombstones, people, periods }: Hidden, today: Day) {
    this.today = today
    for (const { projectId, hash, upToSeq } of tombstones) {
      if (hash === null) {
        this.#projects.set(projectId, Math.max(upToSeq, this.#projects.get(projectId) ?? 0))
        continue
      }
      const known = this.#groups.get(groupKey(projectId, hash))
      if (known === undefined || known.upToSeq < upToSeq) {
        this.#groups.set(groupKey(projectId, hash), { projectId, hash, upToSeq })
      }
    }
    for (const one of people) {
      const known = this.#people.get(groupKey(one.projectId, one.person))
      if (known === undefined || known.upToSeq < one.upToSeq) {
        this.#people.set(groupKey(one.projectId, one.person), one)
      }
    }
    for (const { projectId, kind, days } of periods) {
      const ofKind = this.#periods.get(kind) ?? new Map<ProjectId, number>()
      this.#periods.set(kind, ofKind.set(projectId, days))
    }
  }

  /** Rows of the group are visible above this seq; 0 where nothing was deleted. */
  floor(projectId: ProjectId, hash: GroupHash): number {
    return Math.max(
      this.#projects.get(projectId) ?? 0,
      this.#groups.get(groupKey(projectId, hash))?.upToSeq ?? 0,
    )
  }

  /** True when the project no longer shows what was received on the file's day. */
  isPastPeriod(projectId: ProjectId, { kind, day }: FileName): boolean {
    const days = this.#periods.get(kind)?.get(projectId) ?? this.#periods.get(null)?.get(projectId)
    return days !== undefined && isPast(day, days, this.today)
  }

  /** True when some project's period is not over for what was received on the file's day. */
  isKeptByAny(file: FileName): boolean {
    return this.#projectsWithPeriod(file).some((projectId) => !this.isPastPeriod(projectId, file))
  }

  /** Projects that no longer show anything of the file. */
  pastPeriod(file: FileName): readonly ProjectId[] {
    return this.#projectsWithPeriod(file).filter((projectId) => this.isPastPeriod(projectId, file))
  }

  #projectsWithPeriod({ kind }: FileName): readonly ProjectId[] {
    const known = [this.#periods.get(kind), this.#periods.get(null)].flatMap((map) => [
      ...(map?.keys() ?? []),
    ])
    return [...new Set(known)]
  }

  /** Deleted people of these projects, or of all. */
  people(projects?: readonly ProjectId[]): readonly PersonTombstone[] {
    const all = [...this.#people.values()]
    if (projects === undefined || all.length === 0) return all
    const wanted = new Set(projects)
    return all.filter(({ projectId }) => wanted.has(projectId))
  }

  /** True if the row is hidden because its project was deleted or its retention ended. */
  hidesProject({ seq, projectId }: Pick<StoredRow, 'seq' | 'projectId'>, file: FileName): boolean {
    return seq <= (this.#projects.get(projectId) ?? 0) || this.isPastPeriod(projectId, file)
  }

  /**
   * True if the row of any kind is hidden: one without groups goes with its project only, one that names
   * nobody with no person.
   */
  hides(row: Pick<StoredRow, 'seq' | 'projectId'>, file: FileName): boolean {
    const { groupHash, people }: RowValues = row
    const { seq, projectId } = row
    if (this.hidesProject(row, file)) return true
    if (typeof groupHash === 'string' && seq <= this.floor(projectId, toGroupHash(groupHash))) return true
    if (this.#people.size === 0 || !Array.isArray(people)) return false
    return people.some((person) => {
      const one = this.#people.get(groupKey(projectId, String(person)))
      return one !== undefined && seq <= one.upToSeq
    })
  }

  /** Floors as parallel columns, for a query that does not know its groups beforehand. */
  columns(): {
    readonly projects: { readonly ids: readonly number[]; readonly floors: readonly number[] }
    readonly groups: {
      readonly ids: readonly number[]
      readonly hashes: readonly string[]
      readonly floors: readonly number[]
    }
  } {
    const groups = [...this.#groups.values()]
    return {
      projects: { ids: [...this.#projects.keys()], floors: [...this.#projects.values()] },
      groups: {
        ids: groups.map(({ projectId }) => projectId),
        hashes: groups.map(({ hash }) => hash),
        floors: groups.map(({ upToSeq }) => upToSeq),
      },
    }
  }
}

function groupKey(projectId: ProjectId, name: string): string {
  return `${projectId}:${name}`
}
