/**
 * A disk that fails as real ones do, over real files. Writes, cuts and names reach the real files at once, as they
 * reach the page cache; beside it stands what a power loss would leave. Only a sync moves one to the other.
 *
 * ```
 *  write ─▶ real file (what reads see) ──sync──▶ durable bytes   power loss: real file := durable bytes
 *              └─ pending, in order ────────────────┘               + any part of what was pending
 * ```
 *
 * A failed sync is the worst kind: the kernel marks the pages clean, so that what was pending is gone for a later
 * sync that succeeds, and reads may see the old bytes again.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Disk, type DiskFile, nodeDisk } from '../../packages/server/src/base/disk.ts'
import type { Seeded } from './seeded.ts'

export type DiskOperation =
  | 'create'
  | 'open'
  | 'read'
  | 'write'
  | 'sync'
  | 'truncate'
  | 'rename'
  | 'unlink'
  | 'list'
  | 'makeDirectory'
  | 'syncDirectory'

export interface DiskRules {
  /** Called before each operation; what it answers is thrown instead, in a write after part of it was done. */
  readonly refuse: (operation: DiskOperation, path: string) => Error | null
  /** A sync takes so long. */
  readonly syncMs: number
  /** Bytes that writes may still take before the disk is full. */
  readonly freeBytes: number
}

export const SOUND: DiskRules = { refuse: () => null, syncMs: 0, freeBytes: Number.POSITIVE_INFINITY }

/** Makes an error as Node throws it. */
export function diskError(code: 'ENOSPC' | 'EIO'): Error {
  const text = code === 'ENOSPC' ? 'no space left on device' : 'i/o error'
  return Object.assign(new Error(`${code}: ${text}`), { code })
}

type Change =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'cut'; readonly bytes: number }

/** A file, whatever it is called. */
interface Content {
  durable: Buffer
  pending: Change[]
}

/** Content that a name stands for; `foreign` is one that nobody has touched since the power came on. */
type Entry = Content | 'directory' | 'foreign'

interface Names {
  readonly durable: Map<string, Entry>
  readonly pending: NameChange[]
}

/** A change of a directory's names that no sync has made durable. */
type NameChange =
  | { readonly kind: 'add'; readonly name: string; readonly content: Entry }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'move'; readonly name: string; readonly to: string; readonly content: Content }

const SECTOR = 512

export class FaultyDisk implements Disk {
  rules: DiskRules = SOUND
  readonly #seeded: Seeded
  /** By path, for what is not as it was when the power last came on. */
  readonly #contents = new Map<string, Content>()
  readonly #names = new Map<string, Names>()
  /** Counts up when the process ends: what it had open is of no use to the next. */
  #life = 0
  readonly #running = new Set<Promise<unknown>>()

  constructor(seeded: Seeded) {
    this.#seeded = seeded
  }

  async create(path: string, writes: 'durable' | 'plain' = 'plain'): Promise<DiskFile> {
    this.#check('create', path)
    if (this.rules.freeBytes <= 0) throw diskError('ENOSPC')
    const file = await nodeDisk.create(path)
    this.#added(path)
    // Not every system can: what asks for it must be right on both kinds.
    const isDurable = writes === 'durable' && this.#seeded.chance(0.5)
    const opened = this.#opened(path, file)
    return isDurable ? durably(opened) : opened
  }

  async open(path: string, mode: 'read' | 'write' | 'make'): Promise<DiskFile> {
    this.#check('open', path)
    const isNew = mode === 'make' && !existsSync(path)
    if (isNew && this.rules.freeBytes <= 0) throw diskError('ENOSPC')
    const file = await nodeDisk.open(path, mode)
    if (isNew) this.#added(path)
    return this.#opened(path, file)
  }

  async rename(from: string, to: string): Promise<void> {
    this.#check('rename', from)
    const { names, content } = this.#touched(from)
    names.pending.push({ kind: 'move', name: basename(from), to: basename(to), content })
    this.#contents.delete(from)
    this.#contents.set(to, content)
    await this.#tracked(rename(from, to))
  }

  async unlink(path: string): Promise<boolean> {
    this.#check('unlink', path)
    if (!existsSync(path)) return false
    this.#touched(path).names.pending.push({ kind: 'remove', name: basename(path) })
    this.#contents.delete(path)
    await this.#tracked(unlink(path))
    return true
  }

  list(directory: string): Promise<readonly string[]> {
    this.#check('list', directory)
    return nodeDisk.list(directory)
  }

  async makeDirectory(path: string): Promise<string | undefined> {
    this.#check('makeDirectory', path)
    if (existsSync(path)) return undefined
    const above = await this.makeDirectory(dirname(path))
    this.#namesOf(dirname(path)).pending.push({ kind: 'add', name: basename(path), content: 'directory' })
    mkdirSync(path, { mode: 0o700 })
    return above ?? path
  }

  async syncDirectory(path: string): Promise<void> {
    this.#check('syncDirectory', path)
    await this.#slowly()
    this.#names.delete(path)
  }

  /** The process is gone: what it had open fails. What it wrote stays in the page cache. */
  async endProcess(): Promise<void> {
    this.#life++
    await Promise.allSettled(this.#running)
  }

  /** The machine is gone: what is on the files afterwards is what a real disk could hold. Resets everything else. */
  async losePower(): Promise<void> {
    await this.endProcess()
    const order = this.#seeded.pick(['none', 'all', 'torn', 'torn', 'torn'])
    for (const [path, content] of this.#contents) {
      if (existsSync(path)) writeFileSync(path, survived(content, this.#seeded, order))
    }
    for (const [directory, names] of this.#names) {
      // A parent that vanished took it along.
      if (existsSync(directory)) this.#loseNames(directory, names, order)
    }
    this.#contents.clear()
    this.#names.clear()
  }

  /** The file was changed from outside: what lies there now is what is durable. */
  forget(path: string): void {
    this.#contents.set(path, { durable: readFileSync(path), pending: [] })
  }

  #loseNames(directory: string, names: Names, order: string): void {
    const kept = order === 'all' ? names.pending.length : this.#seeded.whole(0, names.pending.length)
    const after = new Map(names.durable)
    const isOrdered = this.#seeded.chance(0.7)
    for (const [index, change] of names.pending.entries()) {
      const stays = isOrdered ? index < kept : this.#seeded.chance(0.5)
      if (order !== 'none' && stays) applyName(after, change)
    }
    for (const name of readdirSync(directory)) {
      if (!after.has(name)) rmSync(join(directory, name), { recursive: true })
    }
    for (const [name, content] of after) {
      if (typeof content === 'string') continue
      writeFileSync(join(directory, name), survived(content, this.#seeded, order), { mode: 0o600 })
    }
  }

  /** Names of a directory as they are durable; what is there when it is first asked for is. */
  #namesOf(directory: string): Names {
    const known = this.#names.get(directory)
    if (known !== undefined) return known
    const durable = new Map<string, Entry>()
    for (const name of existsSync(directory) ? readdirSync(directory) : []) {
      const path = join(directory, name)
      durable.set(name, statSync(path).isDirectory() ? 'directory' : (this.#contents.get(path) ?? 'foreign'))
    }
    const names: Names = { durable, pending: [] }
    this.#names.set(directory, names)
    return names
  }

  #content(path: string): Content {
    const known = this.#contents.get(path)
    if (known !== undefined) return known
    const content: Content = { durable: existsSync(path) ? readFileSync(path) : Buffer.alloc(0), pending: [] }
    this.#contents.set(path, content)
    return content
  }

  /** A file whose name is about to change, with the names of its directory: it may have to come back. */
  #touched(path: string): { readonly names: Names; readonly content: Content } {
    const names = this.#namesOf(dirname(path))
    const content = this.#content(path)
    if (names.durable.get(basename(path)) === 'foreign') names.durable.set(basename(path), content)
    return { names, content }
  }

  /** Call after making a file, so that `#namesOf` does not take it for an old one. */
  #added(path: string): void {
    const names = this.#namesOf(dirname(path))
    const content: Content = { durable: Buffer.alloc(0), pending: [] }
    this.#contents.set(path, content)
    names.durable.delete(basename(path))
    names.pending.push({ kind: 'add', name: basename(path), content })
  }

  #opened(path: string, file: DiskFile): DiskFile {
    const content = this.#content(path)
    const life = this.#life
    const check = (operation: DiskOperation) => {
      if (life !== this.#life) throw new Error('this process has ended')
      this.#check(operation, path)
    }
    return {
      writesAreDurable: false,
      read: async (...asked) => {
        check('read')
        return file.read(...asked)
      },
      size: () => file.size(),
      close: () => file.close(),
      write: async (buffers, position) => {
        const bytes = Buffer.concat(buffers)
        const refused = this.#refusalOf(life, path, bytes.length)
        const room = refused === null ? bytes.length : this.#seeded.whole(0, Math.max(0, bytes.length - 1))
        const part = bytes.subarray(0, Math.min(room, this.rules.freeBytes))
        this.rules = { ...this.rules, freeBytes: this.rules.freeBytes - part.length }
        content.pending.push({ kind: 'write', at: position, bytes: part })
        await this.#tracked(file.write([part], position))
        if (refused !== null) throw refused
      },
      truncate: async (bytes) => {
        check('truncate')
        content.pending.push({ kind: 'cut', bytes })
        await this.#tracked(file.truncate(bytes))
      },
      sync: async () => {
        const pending = content.pending.length
        try {
          check('sync')
        } catch (cause) {
          if (life === this.#life) await this.#failSync(content, file)
          throw cause
        }
        await this.#slowly()
        // Whatever was written while it ran is of the next one; after the process's end nothing is promised.
        if (life !== this.#life) throw new Error('this process has ended')
        for (const change of content.pending.splice(0, pending)) {
          content.durable = applied(content.durable, change)
        }
      },
    }
  }

  #refusalOf(life: number, path: string, bytes: number): Error | null {
    if (life !== this.#life) return new Error('this process has ended')
    const refused = this.rules.refuse('write', path)
    if (refused !== null) return refused
    return bytes > this.rules.freeBytes ? diskError('ENOSPC') : null
  }

  /** Some of what was pending is never written, whatever a later sync says; reads may see the old bytes again. */
  async #failSync(content: Content, file: DiskFile): Promise<void> {
    for (const change of content.pending.splice(0)) {
      if (this.#seeded.chance(0.5)) content.durable = applied(content.durable, change)
    }
    if (!this.#seeded.chance(0.3)) return
    const size = await file.size()
    const old = Buffer.alloc(size)
    content.durable.copy(old)
    await this.#tracked(file.write([old], 0))
  }

  /** Waited for before the power goes: nothing may reach a file after that. */
  async #tracked<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    try {
      return await work
    } finally {
      this.#running.delete(work)
    }
  }

  #check(operation: DiskOperation, path: string): void {
    const refused = this.rules.refuse(operation, path)
    if (refused !== null) throw refused
  }

  async #slowly(): Promise<void> {
    const { syncMs } = this.rules
    if (syncMs > 0) await new Promise((resolve) => setTimeout(resolve, syncMs))
  }
}

/** A file of which each write is synced before it returns. */
function durably(file: DiskFile): DiskFile {
  return {
    ...file,
    writesAreDurable: true,
    write: async (buffers, position) => {
      await file.write(buffers, position)
      await file.sync()
    },
    sync: async () => {},
  }
}

/** Returns what is left of a file when the power goes: any sectors of what was pending, or all, or none. */
function survived(content: Content, seeded: Seeded, order: string): Buffer {
  if (order === 'none') return content.durable
  let bytes = content.durable
  for (const change of content.pending) {
    if (order === 'all') bytes = applied(bytes, change)
    else if (change.kind === 'cut') bytes = seeded.chance(0.5) ? applied(bytes, change) : bytes
    else bytes = torn(bytes, change, seeded)
  }
  return bytes
}

function torn(bytes: Buffer, { at, bytes: written }: Change & { kind: 'write' }, seeded: Seeded): Buffer {
  const density = seeded.pick([0, 0.5, 0.9, 1])
  const isPrefix = seeded.chance(0.5)
  const whole = seeded.whole(0, written.length)
  let result = bytes
  for (let from = 0; from < written.length; ) {
    const to = Math.min(written.length, from + SECTOR - ((at + from) % SECTOR))
    const stays = isPrefix ? from < whole : seeded.chance(density)
    if (stays) {
      const end = isPrefix ? Math.min(to, whole) : to
      result = applied(result, { kind: 'write', at: at + from, bytes: written.subarray(from, end) })
    }
    from = to
  }
  return result
}

function applied(bytes: Buffer, change: Change): Buffer {
  if (change.kind === 'cut') {
    const cut = Buffer.alloc(change.bytes)
    bytes.copy(cut)
    return cut
  }
  const grown = Buffer.alloc(Math.max(bytes.length, change.at + change.bytes.length))
  bytes.copy(grown)
  change.bytes.copy(grown, change.at)
  return grown
}

function applyName(names: Map<string, Entry>, change: NameChange): void {
  if (change.kind === 'add') names.set(change.name, change.content)
  else if (change.kind === 'remove') names.delete(change.name)
  else if (names.delete(change.name)) names.set(change.to, change.content)
}
