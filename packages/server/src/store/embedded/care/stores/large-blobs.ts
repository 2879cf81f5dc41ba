/** Large blobs as care uses them: what lives equally long goes together. */
import type { BlobName, LargeBlobs } from '#ports/blobs.ts'

export interface BlobEntry {
  readonly name: BlobName
  readonly bytes: number
  readonly writtenMs: number
}

/** Large blobs as retention and deletion see them. */
export interface LargeBlobCare extends LargeBlobs {
  /** Removes what lies below `area`, which is the beginning of names up to a slash. */
  removeArea(area: string): Promise<void>
  /** First parts of the names that there are: what lives equally long. */
  areas(): Promise<readonly string[]>
  /** Blobs below an area, in no order. */
  list(area: string): AsyncIterable<BlobEntry>
}
