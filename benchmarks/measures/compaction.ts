/**
 * Measures what the data directory takes once its days are over and compaction has rewritten them. A server does that in the hour
 * after midnight; `errata compact` does the same at once, for today too, and ends when nothing is left to rewrite.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Product } from '../server/build.ts'
import { directoryBytes } from '../server/directory-bytes.ts'

const execute = promisify(execFile)
const WITHIN_MS = 600_000

export interface Compacted {
  readonly total: number
  readonly parts: Readonly<Record<string, number>>
}

/** No server may use the directory. @throws Error with what the product says when compaction fails */
export async function compactedBytes(product: Product, data: string): Promise<Compacted> {
  await execute(process.execPath, [product.bin, 'compact', '--data', data], { timeout: WITHIN_MS })
  return directoryBytes(data)
}
