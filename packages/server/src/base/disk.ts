/**
 * File layer of journal, payload segments and blobs, in one small interface, so that a test can put a disk in
 * its place that is full, fails, is slow or loses power. Databases do their own reading and writing.
 */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Disk {
  /**
   * Makes a new file that only its owner may read, and opens it. Fails when it exists. `durable`: each write is to be
   * synced before it returns, where the system can do both at once.
   */
  create(path: string, writes?: 'durable' | 'plain'): Promise<DiskFile>
  /** Opens a file; `make` makes it where absent, readable by its owner alone. */
  open(path: string, mode: 'read' | 'write' | 'make'): Promise<DiskFile>
  /** Takes the place of what was there under the new name. */
  rename(from: string, to: string): Promise<void>
  /** Answers false where there was no such file. */
  unlink(path: string): Promise<boolean>
  /** Names of what a directory holds, in no order. */
  list(directory: string): Promise<readonly string[]>
  /** Makes the directory and those above it, for their owner alone; answers the first it made, if any. */
  makeDirectory(path: string): Promise<string | undefined>
  /** Makes names that were added to or removed from a directory survive a power loss. */
  syncDirectory(path: string): Promise<void>
}

export interface DiskFile {
  /**
   * True: a write survives a power loss when it returns, `sync` has nothing left to do, and after a failed write nobody
   * knows what does. A cut is durable with the write that follows.
   */
  readonly writesAreDurable: boolean
  /**
   * Up to `bytes` bytes from `position` on; fewer only where the file ends. The answer is a part of `into`, where that
   * is given and large enough.
   */
  read(position: number, bytes: number, into?: Buffer): Promise<Buffer>
  /** Writes every buffer, one behind the other, from `position` on. A failure may leave any part of them written. */
  write(buffers: readonly Uint8Array[], position: number): Promise<void>
  /** Makes everything written and cut so far survive a power loss. After a failure nobody knows what does. */
  sync(): Promise<void>
  truncate(bytes: number): Promise<void>
  size(): Promise<number>
  close(): Promise<void>
}

/** The kernel takes at most so many buffers at once (IOV_MAX). */
const BUFFERS_MAX = 1_024

/** The machine's own. */
export const nodeDisk: Disk = {
  create: async (path, writes = 'plain') => {
    // macOS has O_DSYNC too, and takes it less seriously than a sync.
    const isDurable = writes === 'durable' && process.platform === 'linux'
    const flags = isDurable ? FLAGS.create | constants.O_DSYNC : FLAGS.create
    return new NodeFile(await open(path, flags, 0o600), isDurable)
  },
  open: async (path, mode) => new NodeFile(await open(path, FLAGS[mode], 0o600)),
  rename,
  unlink: unlinkIfThere,
  list: (directory) => readdir(directory),
  makeDirectory: (path) => mkdir(path, { recursive: true, mode: 0o700 }),
  syncDirectory,
}

const FLAGS = {
  read: constants.O_RDONLY,
  write: constants.O_RDWR,
  make: constants.O_RDWR | constants.O_CREAT,
  create: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
} as const

class NodeFile implements DiskFile {
  readonly writesAreDurable: boolean
  readonly #handle: FileHandle

  constructor(handle: FileHandle, writesAreDurable = false) {
    this.#handle = handle
    this.writesAreDurable = writesAreDurable
  }

  async read(position: number, bytes: number, into?: Buffer): Promise<Buffer> {
    const wanted = Math.max(0, bytes)
    const isRoom = into !== undefined && into.length >= wanted
    const buffer = isRoom ? into.subarray(0, wanted) : Buffer.allocUnsafe(wanted)
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, position + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }

  async write(buffers: readonly Uint8Array[], position: number): Promise<void> {
    let at = position
    let rest = buffers.filter((buffer) => buffer.length > 0)
    while (rest.length > 0) {
      const { bytesWritten } = await this.#handle.writev(rest.slice(0, BUFFERS_MAX), at)
      if (bytesWritten === 0) throw new Error('the disk took no byte')
      at += bytesWritten
      rest = buffersAfter(rest, bytesWritten)
    }
  }

  async sync(): Promise<void> {
    if (!this.writesAreDurable) await this.#handle.datasync()
  }

  truncate(bytes: number): Promise<void> {
    return this.#handle.truncate(bytes)
  }

  async size(): Promise<number> {
    const { size } = await this.#handle.stat()
    return size
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** Returns the rest of the buffers behind their first `bytes` bytes. */
function buffersAfter(buffers: readonly Uint8Array[], bytes: number): Uint8Array[] {
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

/** A directory made here survives a power loss: a new one is a name in its parent, up to the one that was there. */
export async function makeDurableDirectory(disk: Disk, path: string): Promise<void> {
  const made = await disk.makeDirectory(path)
  if (made === undefined) return
  for (let at = path; ; at = dirname(at)) {
    await disk.syncDirectory(dirname(at))
    if (at === made || at === dirname(at)) return
  }
}

async function unlinkIfThere(path: string): Promise<boolean> {
  try {
    await unlink(path)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return false
    throw cause
  }
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
