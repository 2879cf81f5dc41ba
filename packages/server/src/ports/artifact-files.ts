/** The bytes of artifacts: pieces of uploads, whole bundles, compiled maps. Of one organisation each. */
import type { OrgId } from '#base/ids.ts'

export interface ArtifactFiles {
  /** True if the chunk exists; its age starts again as if it had just been written. */
  hasChunk(org: OrgId, sha1: string): Promise<boolean>
  /** Kept whole or not at all. */
  putChunk(org: OrgId, sha1: string, bytes: Uint8Array): Promise<void>
  dropChunks(org: OrgId, sha1s: readonly string[]): Promise<void>
  /** Pieces of all organisations that were written before; answers how many. */
  dropChunksBefore(timeMs: number): Promise<number>
  chunkUsage(org: OrgId): Promise<{ readonly count: number; readonly bytes: number }>
  /** Joins pieces to a bundle. `gone`: one of them is not there; `other_bytes`: together they have another SHA-1. */
  join(org: OrgId, sha1: string, chunks: readonly string[]): Promise<'joined' | 'gone' | 'other_bytes'>
  /** A bundle that came in one piece. */
  putBundle(org: OrgId, sha1: string, bytes: Uint8Array): Promise<void>
  hasBundle(org: OrgId, sha1: string): Promise<boolean>
  openBundle(org: OrgId, sha1: string): Promise<BundleBytes>
  dropBundle(org: OrgId, sha1: string): Promise<void>
  putMap(org: OrgId, mapKey: string, bytes: Uint8Array): Promise<void>
  dropMap(org: OrgId, mapKey: string): Promise<void>
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
