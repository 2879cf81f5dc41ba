/** A stretch of a payload file read and compared with its checksums, without unpacking it. */
import { crc32 } from 'node:zlib'
import { max } from '#limits/limits.ts'
import { type BlockHeader, blockEnd, SEGMENT_HEADER_BYTES } from './format.ts'
import type { SegmentFile } from './segment-file.ts'

/** Findings about a stretch of a payload file. */
export interface VerifiedSlice {
  /** Start of the next block; `null` behind the last one. */
  readonly next: number | null
  readonly bytes: number
  readonly damagedAt: readonly number[]
}

/** Reads whole blocks from `from`, where one begins, until `verifySliceBytes` are read. */
export async function verifySlice(segment: SegmentFile, from: number): Promise<VerifiedSlice> {
  const start = Math.max(from, SEGMENT_HEADER_BYTES)
  // What is appended from now on is of the next slice.
  const end = segment.end
  const damagedAt: number[] = []
  let at = start
  for await (const { block } of segment.blocks(end, start)) {
    if (block.start !== at) damagedAt.push(at)
    at = blockEnd(block)
    if (!(await isBodyIntact(segment, block))) damagedAt.push(block.start)
    if (at - start >= max('verifySliceBytes'))
      return { next: at < end ? at : null, bytes: at - start, damagedAt }
  }
  if (at < end) damagedAt.push(at)
  return { next: null, bytes: Math.max(0, end - start), damagedAt }
}

/** True where the packed body is what was written. */
async function isBodyIntact(segment: SegmentFile, block: BlockHeader): Promise<boolean> {
  const packed = await segment.body(block)
  return packed.length === block.bodyBytes && crc32(packed) === block.bodyCrc
}
