/** The payload files that are open, with their indices: at most `payloadIndexFilesMax`, the last used. */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { max } from '#base/limits.ts'
import { fileStem, filesWithEnding } from '#ports/file-name.ts'
import type { FileName } from '#ports/telemetry.ts'
import { BlockIndex } from './block-index.ts'
import { blockEnd, FILE_HEADER_BYTES, readEntries } from './format.ts'
import { SegmentFile } from './segment-file.ts'

const ENDING = '.seg'

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
  /** In the order of last use. */
  readonly #open = new Map<string, Promise<OpenFile>>()

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#directory = directory
  }

  /** Files on the disk, newest first. */
  names(): FileName[] {
    return filesWithEnding(readdirSync(this.#directory), ENDING)
  }

  has(file: FileName): boolean {
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
    const isNew = !this.has(file)
    const segment = await SegmentFile.open(this.#path(file), file)
    if (isNew) syncDirectory(this.#directory)
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
  let expected = FILE_HEADER_BYTES
  let damaged = false
  for await (const { block, header } of segment.blocks(end)) {
    damaged ||= block.start !== expected
    blocks.add(block.start, readEntries(header))
    expected = blockEnd(block)
  }
  return { blocks, damaged: damaged || expected !== end }
}

/** A new file is an entry of its directory, which must reach the disk too. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return // a folder cannot be opened there; NTFS journals its names itself
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
