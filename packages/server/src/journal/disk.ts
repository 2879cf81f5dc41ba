/** The file operations of the journal that a disk can refuse, in one place so that a test can make it refuse. */
import { type FileHandle, open } from 'node:fs/promises'

export interface Disk {
  /** Makes a new file that only its owner may read. Fails when it exists. */
  create(path: string): Promise<FileHandle>
  /** Writes every buffer, one behind the other, from `position` on. */
  write(handle: FileHandle, buffers: readonly Uint8Array[], position: number): Promise<void>
  sync(handle: FileHandle): Promise<void>
  truncate(handle: FileHandle, bytes: number): Promise<void>
  /** Makes names that were added to or removed from a directory survive a power loss. */
  syncDirectory(path: string): Promise<void>
}

/** The kernel takes at most so many buffers at once (IOV_MAX). */
const BUFFERS_MAX = 1_024

export const nodeDisk: Disk = {
  create: (path) => open(path, 'wx', 0o600),
  write: writeAll,
  sync: (handle) => handle.datasync(),
  truncate: (handle, bytes) => handle.truncate(bytes),
  syncDirectory,
}

async function writeAll(handle: FileHandle, buffers: readonly Uint8Array[], position: number): Promise<void> {
  let at = position
  let rest = buffers.filter((buffer) => buffer.length > 0)
  while (rest.length > 0) {
    const { bytesWritten } = await handle.writev(rest.slice(0, BUFFERS_MAX), at)
    if (bytesWritten === 0) throw new Error('the disk took no byte')
    at += bytesWritten
    rest = after(rest, bytesWritten)
  }
}

/** What is left of the buffers behind their first `bytes` bytes. */
function after(buffers: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes
  let whole = 0
  for (const buffer of buffers) {
    if (buffer.length > left) break
    left -= buffer.length
    whole++
  }
  const [part, ...rest] = buffers.slice(whole)
  return part === undefined ? [] : [part.subarray(left), ...rest]
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // a directory cannot be opened there; names are journaled by the system
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
