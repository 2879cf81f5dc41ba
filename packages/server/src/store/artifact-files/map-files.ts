/** Compiled maps, read in pieces and at once: by whoever resolves frames. */
import { closeSync, openSync, readSync } from 'node:fs'
import type { MapFile } from '#symbolicate/compiled/open.ts'

/**
 * Opens a compiled source map's file. `null` where there is no such file. It is closed when nobody holds it any more.
 */
export function openMapFile(path: string): MapFile | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null // removed, or not readable: the frame says that the map is damaged
  }
  const opened: MapFile = {
    read(at, bytes) {
      const buffer = Buffer.allocUnsafe(Math.max(0, bytes))
      return buffer.subarray(0, bytes > 0 ? readSync(file, buffer, 0, bytes, at) : 0)
    },
  }
  forgotten.register(opened, file)
  return opened
}

const forgotten = new FinalizationRegistry<number>((file) => closeSync(file))
