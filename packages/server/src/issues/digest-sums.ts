/** Adds a batch to the digests of a group and release. */
import { max } from '#limits/limits.ts'
import type { DigestDelta } from '#ports/ingest.ts'

/** Stored state of a digest: everything but counts is from the newest readable event. */
export type DigestState = Omit<DigestDelta, 'hasPayload'>

/**
 * Returns the digest after a batch. Once verified, it stays so. An event without payload does not replace a
 * readable one.
 */
export function digestAfter(before: DigestState, { hasPayload, ...added }: DigestDelta): DigestState {
  const named = hasPayload && added.lastMs >= before.lastMs ? added : before
  return {
    ...named,
    count: before.count + added.count,
    mirrorCount: before.mirrorCount + added.mirrorCount,
    verified: joinVerified(before.verified, added.verified),
    firstMs: Math.min(before.firstMs, added.firstMs),
    lastMs: Math.max(before.lastMs, added.lastMs),
  }
}

function joinVerified(a: boolean | null, b: boolean | null): boolean | null {
  if (a === null || b === null) return a ?? b
  return a || b
}

/** Whether a group may have more digests than are kept, so that the oldest must be looked for. */
export function mayOverflow(inserted: number, { isNew }: { readonly isNew: boolean }): boolean {
  return inserted > (isNew ? max('digestsPerGroupMax') : 0)
}
