/** Verification of files in small steps, so that others get their turn between them. */
import type { FileName } from '#model/file-name.ts'

/** Position of the next step; only the store that made it understands it. */
export interface VerifyPlace {
  readonly at: number
  /** Version of the file at this place; a difference means that it was replaced. */
  readonly version: number
}

/** Findings of one step. */
export interface VerifyStep {
  /** `null`: the file ends here, or is gone. */
  readonly next: VerifyPlace | null
  /** Bytes of the file that were read, for the pace. */
  readonly bytes: number
  /** Places of the file, as byte offsets, where what lies there is not what was written. */
  readonly damagedAt: readonly number[]
  /** The file was written anew meanwhile: what earlier steps found is void. */
  readonly isAnew: boolean
}

/** Steps over payload or column files. A step that rejects means that the file cannot be read there. */
export interface VerifyFiles {
  /** Reads on from `place`, `null` for the beginning, and compares what it reads with its checksums. */
  verify(file: FileName, place: VerifyPlace | null): Promise<VerifyStep>
}
