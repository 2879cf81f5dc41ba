/** The one table of kinds: adding a kind adds a folder and a line. */

import { readClientReport } from './client-report/index.ts'
import { readErrorEvent } from './error/index.ts'
import type { ItemReader } from './item.ts'
import { readUnsupported } from './unsupported/index.ts'

const KINDS: ReadonlyMap<string, ItemReader> = new Map<string, ItemReader>([
  ['event', readErrorEvent],
  ['client_report', readClientReport],
])

/** The reader of an item type. What has no store yet is counted, never refused. */
export function readerOf(type: string): ItemReader {
  return KINDS.get(type) ?? readUnsupported
}
