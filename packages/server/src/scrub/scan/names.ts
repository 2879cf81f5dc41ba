/** Names that a scan has met, with what each means to a project. */
import { namesAddress } from '../addresses.ts'
import type { SecretKeys } from '../keys.ts'
import { TYPE_WORD } from '../names.ts'
import { rolesOf } from '../shapes.ts'
import {
  AT,
  HEAP_BYTES,
  NAME_BEFORE_SIGN,
  NAME_ENTRY,
  NAME_KNOWN,
  NAME_OF_ARGUMENTS,
  NAME_OF_FIELD,
  NAME_OF_KEY,
  NAME_OF_STATEMENT,
  NAME_OF_TIME,
  NAMES_MAX,
  SLOTS,
  VALUE_ENTRY,
} from './layout.ts'
import { PROBES_MAX } from './text-loop.ts'

const FIELDS: ReadonlySet<string> = new Set('type category message level timestamp event_id data'.split(' '))
/** Keys that change what another key of their bag means, or hold what somebody typed. */
const TELLING_KEYS: ReadonlySet<string> = new Set(
  'p access refresh variables payload kind data stringData instances value text input content'.split(' '),
)
const PLAIN = /^[A-Za-z_$.-][\w$.-]*$/

/** Bounded by the memory: once it is full, all are forgotten. */
export class ScanNames {
  readonly #memory: ArrayBuffer
  readonly #slots: Int32Array
  readonly #starts: Int32Array
  readonly #lengths: Int32Array
  readonly #flags: Int32Array
  readonly #follows: Int32Array
  #flagsFor = new WeakMap<SecretKeys, Int32Array>()
  #keys: SecretKeys | null = null
  #places = new Map<string, number>()
  #heapUsed = 0

  constructor(memory: ArrayBuffer) {
    this.#memory = memory
    this.#slots = new Int32Array(memory, AT.slots, SLOTS)
    this.#starts = new Int32Array(memory, AT.nameStarts, NAMES_MAX)
    this.#lengths = new Int32Array(memory, AT.nameLengths, NAMES_MAX)
    this.#flags = new Int32Array(memory, AT.flags, NAMES_MAX)
    this.#follows = new Int32Array(memory, AT.follows, NAMES_MAX + 1)
  }

  /** From now on names mean what they mean to this project. */
  use(keys: SecretKeys): void {
    if (this.#keys === keys) return
    if (this.#keys !== null) this.#flagsFor.set(this.#keys, this.#flags.slice(0, this.#places.size))
    this.#keys = keys
    this.#flags.fill(0)
    const known = this.#flagsFor.get(keys)
    if (known !== undefined) this.#flags.set(known)
  }

  /** Notes a name that a scan met, and what it means to the project in use. */
  add(name: string, keys: SecretKeys): void {
    let place = this.#places.get(name)
    if (place === undefined) {
      if (this.#places.size >= NAMES_MAX || this.#heapUsed + name.length > HEAP_BYTES) this.#forget()
      const added = this.#insert(name)
      if (added === null) return
      place = added
    }
    this.#flags[place] = flagsOf(name, keys)
  }

  /** `null` where no slot is left within reach of its hash. */
  #insert(name: string): number | null {
    const bytes = Buffer.from(name, 'latin1')
    let hash = 0
    for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0
    let probe = 0
    while (probe < PROBES_MAX && this.#slots[(hash + probe) & (SLOTS - 1)] !== 0) probe++
    if (probe === PROBES_MAX) return null
    const place = this.#places.size
    this.#slots[(hash + probe) & (SLOTS - 1)] = place + 1
    const start = AT.heap + this.#heapUsed
    new Uint8Array(this.#memory, start, bytes.length).set(bytes)
    this.#starts[place] = start
    this.#lengths[place] = bytes.length
    this.#heapUsed += bytes.length
    this.#places.set(name, place)
    return place
  }

  #forget(): void {
    this.#slots.fill(0)
    this.#flags.fill(0)
    this.#follows.fill(0)
    this.#places = new Map()
    this.#flagsFor = new WeakMap()
    this.#heapUsed = 0
  }
}

function flagsOf(name: string, keys: SecretKeys): number {
  if (!PLAIN.test(name)) return NAME_KNOWN
  const verdict = keys.verdictOf(name)
  const isTelling = verdict.rule !== null || verdict.weakRule !== null
  const isBound = verdict.bound !== null && name !== 'arguments'
  const { isName, isValue, isStatement } = rolesOf(name)
  let flags = NAME_KNOWN
  const add = (is: boolean, bit: number) => {
    if (is) flags |= bit
  }
  // `default="X"` stands in for what is named before it; names of a letter tell beside each other.
  // `q=0.9` and `v=b3` stand in every browser's headers.
  const isLong = name.length > 1 || name === 'q' || name === 'v'
  add(
    !isTelling && isLong && name !== 'state' && name !== 'default' && !TYPE_WORD.test(name),
    NAME_BEFORE_SIGN,
  )
  add(
    !isTelling && !isBound && verdict.isHarmless && !namesAddress(name) && !TELLING_KEYS.has(name),
    NAME_OF_KEY,
  )
  add(isName || name === 'type' || name === 'Type', NAME_ENTRY)
  add(isValue, VALUE_ENTRY)
  add(isStatement, NAME_OF_STATEMENT)
  add(name === 'arguments', NAME_OF_ARGUMENTS)
  add(FIELDS.has(name), NAME_OF_FIELD)
  add(name === 'timestamp', NAME_OF_TIME)
  return flags
}
