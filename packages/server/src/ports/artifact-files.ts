/** The bytes of artifacts: pieces of uploads, whole bundles, compiled maps. Of one organisation each. */
import type { OrgId } from '#base/ids.ts'

/** Pieces of uploads, bundles and compiled maps. */
export type ArtifactArea = 'chunks' | 'bundles' | 'maps'

/** Names a file: by the SHA-1 of a piece or a bundle, or by the key of a compiled map. */
export interface ArtifactName {
  readonly area: ArtifactArea
  readonly org: OrgId
  readonly name: string
}

export interface ArtifactFiles {
  /** True if it exists; the age of a piece starts again as if it had just been written. */
  has(file: ArtifactName): Promise<boolean>
  /** Kept whole or not at all. */
  put(file: ArtifactName, bytes: Uint8Array): Promise<void>
  /** No error where one is absent. */
  drop(area: ArtifactArea, org: OrgId, names: readonly string[]): Promise<void>
  /** Pieces of all organisations that were written before; answers how many. */
  dropChunksBefore(timeMs: number): Promise<number>
  chunkUsage(org: OrgId): Promise<{ readonly count: number; readonly bytes: number }>
  /** Joins pieces to a bundle. `gone`: one of them is not there; `other_bytes`: together they have another SHA-1. */
  join(org: OrgId, sha1: string, chunks: readonly string[]): Promise<'joined' | 'gone' | 'other_bytes'>
  openBundle(org: OrgId, sha1: string): Promise<BundleBytes>
  /** Organisations that have files of any sort. */
  organisations(): Promise<readonly OrgId[]>
  names(org: OrgId): Promise<{ readonly bundles: readonly string[]; readonly maps: readonly string[] }>
}

/** A bundle that is read in pieces, until it is closed. */
export interface BundleBytes {
  readonly bytes: number
  read(at: number, length: number): Promise<Uint8Array>
  close(): Promise<void>
}
