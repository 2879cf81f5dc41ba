/** Deletions as the column store's queries apply them: nothing at or below a floor is there. */
import type { GroupHash, ProjectId } from '#base/ids.ts'
import type { Tombstone } from '#ports/ingest.ts'

export class TombstoneFloors {
  readonly #projects = new Map<ProjectId, number>()
  readonly #groups = new Map<string, Tombstone & { readonly hash: GroupHash }>()

  constructor(tombstones: readonly Tombstone[]) {
    for (const { projectId, hash, upToSeq } of tombstones) {
      if (hash === null) {
        this.#projects.set(projectId, Math.max(upToSeq, this.#projects.get(projectId) ?? 0))
        continue
      }
      const key = groupKey(projectId, hash)
      const known = this.#groups.get(key)
      if (known === undefined || known.upToSeq < upToSeq) this.#groups.set(key, { projectId, hash, upToSeq })
    }
  }

  /** Rows of the group are visible above this seq; 0 where nothing was deleted. */
  floor(projectId: ProjectId, hash: GroupHash): number {
    return Math.max(
      this.#projects.get(projectId) ?? 0,
      this.#groups.get(groupKey(projectId, hash))?.upToSeq ?? 0,
    )
  }

  /** As parallel columns, for a query that does not know its groups beforehand. */
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

function groupKey(projectId: ProjectId, hash: GroupHash): string {
  return `${projectId}:${hash}`
}
