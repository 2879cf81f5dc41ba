/** The payload files that are open, with their indices: at most `payloadIndexFilesMax`, the last used. */
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Disk } from '#base/disk.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem, filesWithEnding } from '#model/file-name.ts'
import type { FileBytes } from '#ports/care.ts'
import { BlockIndex } from './block-index.ts'
import { blockEnd, SEGMENT_HEADER_BYTES } from './format.ts'
import { SegmentFile } from './segment-file.ts'

const ENDING = '.seg'
/** Ending of a file that will replace the one beside it. */
const FRESH = '.new'

export interface OpenFile {
  readonly segment: SegmentFile
  /** Made by the first read. */
  index: Promise<FileIndex> | null
  indexBytes: number
  users: number
  /** No longer in the map: the last user closes it. */
  dropped: boolean
}

export interface FileIndex {
  readonly blocks: BlockIndex
  /** A stretch of the file holds no intact block: what is not found may have been there. */
  readonly damaged: boolean
}

export class OpenFiles {
  readonly #directory: string
  readonly #disk: Disk
  /** A name may not have reached the disk: also of an earlier process, which may have been killed before it did. */
  #namesUnsynced = true
  /** Stems of files that are being unlinked. */
  readonly #removing = new Set<string>()
  /** Open files, least recently used first. */
  readonly #open = new Map<string, Promise<OpenFile>>()

  constructor(directory: string, disk: Disk) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#directory = directory
    this.#disk = disk
  }

  /** Files on the disk, newest first. */
  names(): FileName[] {
    return filesWithEnding(readdirSync(this.#directory), ENDING)
  }

  has(file: FileName): boolean {
    if (this.#removing.has(fileStem(file))) return false
    return statSync(this.#path(file), { throwIfNoEntry: false }) !== undefined
  }

  bytes(): number {
    return this.names().reduce(
      (sum, file) => sum + (statSync(this.#path(file), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  }

  /** Runs `work` with the open file, which stays open until then; makes it where absent. */
  async use<T>(file: FileName, work: (open: OpenFile) => Promise<T>): Promise<T> {
    const open = await this.acquire(file)
    try {
      return await work(open)
    } finally {
      await this.release(open)
    }
  }

  /** The open file, which stays open until it is released; makes it where absent. */
  async acquire(file: FileName): Promise<OpenFile> {
    let open = await this.#take(file)
    while (open.dropped) open = await this.#take(file)
    open.users++
    return open
  }

  async release(open: OpenFile): Promise<void> {
    open.users--
    if (open.dropped && open.users === 0) await open.segment.close()
    else await this.#trim()
  }

  /** The index of a file in use, made by walking its headers where there is none yet. */
  async index(open: OpenFile): Promise<FileIndex> {
    open.index ??= buildIndex(open.segment)
    try {
      const index = await open.index
      open.indexBytes = index.blocks.bytes
      return index
    } catch (error) {
      open.index = null
      throw error
    }
  }

  /** Names of new files survive a power loss when this resolves, as does that of their directory. */
  async syncNames(): Promise<void> {
    if (!this.#namesUnsynced) return
    await this.#disk.syncDirectory(this.#directory)
    await this.#disk.syncDirectory(dirname(this.#directory))
    this.#namesUnsynced = false
  }

  /** Bytes on disk of each file. */
  fileBytes(): readonly FileBytes[] {
    return this.names().map((file) => ({
      file,
      bytes: statSync(this.#path(file), { throwIfNoEntry: false })?.size ?? 0,
    }))
  }

  /** An empty file beside one of the same name, for `swap`. */
  async makeFresh(file: FileName): Promise<SegmentFile> {
    const path = `${this.#path(file)}${FRESH}`
    await this.#disk.unlink(path)
    return SegmentFile.open(this.#disk, path, file)
  }

  /** Puts the fresh file, durable, in the place of the old one, which those who read it keep until they are done. */
  async swap(file: FileName, fresh: SegmentFile): Promise<void> {
    await fresh.close()
    await this.#disk.rename(`${this.#path(file)}${FRESH}`, this.#path(file))
    this.#namesUnsynced = true
    try {
      await this.syncNames()
    } finally {
      await this.drop([file]) // no name leads to the old one any more, whatever the sync says
    }
  }

  /** Closes and unlinks a fresh file that takes no place; where that fails, the next rewrite or start does it. */
  async dropFresh(file: FileName, fresh: SegmentFile): Promise<void> {
    await fresh.close().catch(() => {}) // it may be closed already
    await this.#disk.unlink(`${this.#path(file)}${FRESH}`).catch(() => {}) // the error that led here is the one to tell
  }

  /** Unlinks what rewrites that were cut short left. */
  async removeFresh(): Promise<void> {
    for (const name of await this.#disk.list(this.#directory)) {
      if (name.endsWith(`${ENDING}${FRESH}`)) await this.#disk.unlink(join(this.#directory, name))
    }
  }

  /** Unlinks a file; those who read it keep it until they are done. */
  async remove(file: FileName): Promise<void> {
    const stem = fileStem(file)
    this.#removing.add(stem)
    try {
      await this.drop([file])
      await this.#disk.unlink(this.#path(file))
      await this.#disk.syncDirectory(this.#directory)
    } finally {
      this.#removing.delete(stem)
    }
  }

  /** Closes files (all of them without a list): what is on the disk is looked at afresh by the next use. */
  async drop(files?: readonly FileName[]): Promise<void> {
    const stems = files?.map(fileStem) ?? [...this.#open.keys()]
    for (const stem of stems) await this.#dropOne(stem)
  }

  async #take(file: FileName): Promise<OpenFile> {
    const stem = fileStem(file)
    const known = this.#open.get(stem)
    const opening = known ?? this.#openFile(file)
    this.#open.delete(stem)
    this.#open.set(stem, opening)
    try {
      return await opening
    } catch (error) {
      this.#open.delete(stem)
      throw error
    }
  }

  async #openFile(file: FileName): Promise<OpenFile> {
    if (!this.has(file)) this.#namesUnsynced = true
    const segment = await SegmentFile.open(this.#disk, this.#path(file), file)
    return { segment, index: null, indexBytes: 0, users: 0, dropped: false }
  }

  async #trim(): Promise<void> {
    const opened = await Promise.all(
      [...this.#open].map(async ([stem, opening]) => ({ stem, open: await opening.catch(() => null) })),
    )
    let count = opened.length
    let bytes = opened.reduce((sum, { open }) => sum + (open?.indexBytes ?? 0), 0)
    for (const { stem, open } of opened) {
      // The newest stays even when it alone is larger than the bound.
      const enough = count <= max('payloadIndexFilesMax') && bytes <= max('payloadIndexBytesMax')
      if (enough || count === 1) return
      if (open === null || open.users > 0) continue
      count--
      bytes -= open.indexBytes
      await this.#dropOne(stem)
    }
  }

  async #dropOne(stem: string): Promise<void> {
    const opening = this.#open.get(stem)
    this.#open.delete(stem)
    const open = await opening?.catch(() => null) // one that could not be opened has nothing to close
    if (open === null || open === undefined || open.dropped) return
    open.dropped = true
    if (open.users === 0) await open.segment.close()
  }

  #path(file: FileName): string {
    return join(this.#directory, `${fileStem(file)}${ENDING}`)
  }
}

async function buildIndex(segment: SegmentFile): Promise<FileIndex> {
  const blocks = new BlockIndex()
  // What is appended from now on, the append itself adds.
  const end = segment.end
  let expected = SEGMENT_HEADER_BYTES
  let damaged = false
  for await (const { block, header } of segment.blocks(end)) {
    damaged ||= block.start !== expected
    blocks.addHeader(block.start, header)
    expected = blockEnd(block)
  }
  return { blocks, damaged: damaged || expected !== end }
}
