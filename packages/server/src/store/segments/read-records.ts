/** The row records of several events of one file: each block is read once, and none where that would be too much. */
import type { BlockEntry, EventPlace, RowRecord } from '#ports/telemetry.ts'
import type { BlockIndex } from './block-index.ts'
import { type BlockHeader, readBlockEntries } from './format.ts'
import type { FoundBlock } from './segment-file.ts'

export interface RecordSource {
  readonly index: BlockIndex
  /** The block at a start that the index names. */
  blockAt(start: number): Promise<FoundBlock>
  isCached(block: BlockHeader): boolean
  unpacked(block: BlockHeader): Promise<Uint8Array>
}

interface Located {
  readonly block: BlockHeader
  readonly entry: BlockEntry
}

/** Same as `PayloadSegments.records`, for a file that exists. */
export async function readRecords(
  source: RecordSource,
  events: readonly EventPlace[],
  bytesMax: number,
): Promise<readonly (RowRecord | null)[]> {
  const located = await locate(source, events)
  const blocks = new Map(located.flatMap((at) => (at === null ? [] : [[at.block.start, at.block]])))
  const packed = [...blocks.values()].filter((block) => !source.isCached(block))
  const bytes = packed.reduce((sum, { rawBytes }) => sum + rawBytes, 0)
  if (packed.length > 1 && bytes > bytesMax) return events.map(() => null)
  const bodies = new Map<number, Uint8Array>()
  for (const block of blocks.values()) bodies.set(block.start, await source.unpacked(block))
  return located.map((at) => {
    const body = at === null ? undefined : bodies.get(at.block.start)
    if (at === null || body === undefined) return null
    const start = at.entry.offset + at.entry.bytes
    // A copy: a view would keep all of the block.
    return { seq: at.entry.seq, text: body.slice(start, start + at.entry.rowBytes) }
  })
}

/** Returns each event's place by headers only. */
async function locate(
  { index, blockAt }: RecordSource,
  events: readonly EventPlace[],
): Promise<readonly (Located | null)[]> {
  const headers = new Map<number, { readonly block: BlockHeader; readonly entries: readonly BlockEntry[] }>()
  const entriesAt = async (start: number) => {
    const known = headers.get(start)
    if (known !== undefined) return known
    const { block, header } = await blockAt(start)
    const read = { block, entries: readBlockEntries(header) }
    headers.set(start, read)
    return read
  }
  const located: (Located | null)[] = []
  for (const { projectId, eventId } of events) {
    let found: Located | null = null
    for (const start of index.find(projectId, eventId)) {
      const { block, entries } = await entriesAt(start)
      const entry = entries.find((each) => each.eventId === eventId && each.projectId === projectId)
      if (entry === undefined) continue
      found = { block, entry }
      break
    }
    located.push(found)
  }
  return located
}
