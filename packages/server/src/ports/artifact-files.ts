/** The bytes of artifacts: pieces of uploads, whole bundles, compiled maps. Of one organisation each. */
import type { OrgId } from '#base/ids.ts'

export interface ArtifactFiles {
  hasChunk(org: OrgId, sha1: string): Promise<boolean>
  /** Kept whole or not at all. */
  putChunk(org: OrgId, sha1: string, bytes: Uint8Array): Promise<void>
  dropChunks(org: OrgId, sha1s: readonly string[]): Promise<void>
  /** Pieces of all organisations that were written before, and what those of one take. */
  dropChunksBefore(timeMs: number): Promise<number>
  chunkBytes(org: OrgId): Promise<number>
  /** Joins pieces to a bundle; answers its size, and `null` where their bytes are not those of the SHA-1. */
  join(org: OrgId, sha1: string, chunks: readonly string[]): Promise<number | null>
  hasBundle(org: OrgId, sha1: string): Promise<boolean>
  openBundle(org: OrgId, sha1: string): Promise<BundleBytes>
  dropBundle(org: OrgId, sha1: string): Promise<void>
  putMap(org: OrgId, mapKey: string, bytes: Uint8Array): Promise<void>
  dropMap(org: OrgId, mapKey: string): Promise<void>
}

/** A bundle that is read in pieces, until it is closed. */
export interface BundleBytes {
  readonly bytes: number
  read(at: number, length: number): Promise<Uint8Array>
  close(): Promise<void>
}
