/** Bytes of everything below a directory, with the sum of each entry at its top. What vanishes meanwhile counts nothing. */
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export function directoryBytes(directory: string): {
  readonly total: number
  readonly parts: Readonly<Record<string, number>>
} {
  const parts: Record<string, number> = {}
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name)
    parts[entry.name] = entry.isDirectory()
      ? directoryBytes(path).total
      : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  }
  return { total: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0), parts }
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
    throw cause
  }
}
