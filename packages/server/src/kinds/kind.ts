/**
 * Kind as the beats see it, which are generic over kinds: how its items are read, which table its rows have,
 * what the commit must know of them, and what is kept. A kind without `stored` leaves nothing but outcomes.
 */
import type { BatchPart, PackedRow, PayloadBlock, PendingRow } from '#model/batch.ts'
import type { Dataset } from '#model/dataset.ts'
import type { RowTable, StoredRow } from '#model/fields.ts'
import type { ControlCommit, ControlPart } from '#ports/ingest.ts'
import type { RowEncoding } from '#ports/telemetry.ts'
import type { ItemAnswer, ItemReader } from './item.ts'
import type { RowColumns } from './row-columns.ts'

export interface Kind {
  /** Types of items, as the wire names them, that its reader takes. */
  readonly itemTypes: readonly string[]
  readonly read: ItemReader
  /** Changes the answer for an item by those for the others of its envelope. Left out by a kind that stands for itself. */
  readonly follow?: Follow
  readonly stored: StoredKind | null
}

export type Follow = (
  answer: ItemAnswer,
  beside: readonly { readonly type: string; readonly answer: ItemAnswer }[],
) => ItemAnswer

/** `R`: its rows. `Own`: what its reader hands on beside a row. `Sums`: what the commit knows of a part beyond columns. */
export interface StoredKind<R extends StoredRow = StoredRow, Own = unknown, Sums = unknown> {
  readonly table: RowTable<R>
  /** Data category under which its items are counted. */
  readonly category: string
  readonly sum: KindSum<R, Own, Sums>
  readonly keep: KindKeep<R, Own, Sums>
  /** How people ask for its rows. Left out by a kind whose rows are read by what it belongs to alone. */
  readonly dataset?: Dataset<R>
}

/** Columns of numbers by name, and plain data beside them: what crosses threads without being cloned. */
export interface PackedSums {
  /** Becomes JSON. */
  readonly head: unknown
  readonly columns: Readonly<Record<string, NumberColumn>>
}

export type NumberColumn =
  | Float64Array<ArrayBufferLike>
  | Uint32Array<ArrayBufferLike>
  | BigUint64Array<ArrayBufferLike>

export interface KindSum<R extends StoredRow, Own, Sums> {
  /** Packs the rows of one part, in a process thread. */
  pack(rows: readonly PackedRow<R, Own>[]): PackedSums
  /** Unpacks what `pack` returned in the same build, in the commit thread. */
  unpack(packed: PackedSums): Sums
}

/** A part as the commit takes it. */
export interface ArrivedPart<Sums = unknown> extends Pick<BatchPart, 'kind'> {
  readonly columns: RowColumns
  readonly sums: Sums
  /** The rows as the column store's encoder wrote them; `columns.lineEnd` says where each ends. */
  readonly lines: Uint8Array
  readonly blocks: readonly PayloadBlock[]
}

export interface KeepOptions {
  readonly control: Pick<ControlCommit, 'payloadWindows' | 'staleGroups' | 'toldErrors'>
  readonly encoding: RowEncoding
  /** Issues that may begin in an hour, per project. */
  readonly newIssuesMax: number
}

/** A part as it is stored. */
export interface KeptPart<Sums = unknown> {
  readonly part: ArrivedPart<Sums>
  /** Places of rows that keep no payload although one came. */
  readonly bare: ReadonlySet<number>
  /** Part for the control store; `null` if it leaves nothing but outcomes. */
  readonly control: ControlPart | null
  /** Hint for process threads about what they may leave out; `null` for none. */
  readonly hint: unknown
}

export interface KindKeep<R extends StoredRow, Own, Sums> {
  /** Creates a thinner for a process thread; `null` if every payload goes to the commit. */
  readonly thinner: (() => Thinner<R, Own>) | null
  /**
   * Creates the engine's memory of hints, between the commit and the process threads. `null` if the commit
   * gives no hints.
   */
  readonly hints: (() => HintMemory) | null
  /** A second category in which each item counts, and how much there. Left out by a kind that counts in one. */
  readonly weight?: {
    readonly category: string
    of(part: ArrivedPart<Sums>, place: number): number
  }
  /**
   * Returns the places whose items another sender has already told of: they count as duplicates. Left out by
   * a kind whose items nobody else tells of.
   */
  repeats?(
    part: ArrivedPart<Sums>,
    places: readonly number[],
    control: KeepOptions['control'],
  ): Promise<ReadonlySet<number>>
  /**
   * Decides what of a part is kept. `places`: of the rows that are stored, in ascending order. What is stored already
   * decides, so that a batch that comes again ends the same.
   */
  settle(part: ArrivedPart<Sums>, places: readonly number[], options: KeepOptions): Promise<KeptPart<Sums>>
  /** True when the payload is that of the row: asked by whoever checks everything that is stored. */
  holds(payload: Uint8Array, row: R): boolean
}

export interface Thinner<R extends StoredRow = StoredRow, Own = unknown> {
  /** The rows, those without their payload that the commit would not keep. `hint`: what `HintMemory.list` answered. */
  thin(rows: readonly PendingRow<R, Own>[], hint: unknown): readonly PendingRow<R, Own>[]
}

/** Bounded memory of hints. */
export interface HintMemory {
  /** Takes `KeptPart.hint`. */
  note(hint: unknown): void
  /** Plain data for the process threads; `null` where there is nothing to tell. */
  list(): unknown
  /** Forgets everything: what was true may no longer be. */
  clear(): void
}

/** The kind as the beats see it, which hand it nothing but what it gave them. */
export function storedKind<R extends StoredRow, Own, Sums>(kind: StoredKind<R, Own, Sums>): StoredKind {
  return kind as unknown as StoredKind // rows, own and sums of a part come from this kind's own functions
}

/** All kinds of an engine. */
export interface Kinds {
  /** Returns the reader of an item type; a type without a store is counted, never refused. */
  readerOf(itemType: string): ItemReader
  /** `null` for an item type that stands for itself. */
  followOf(itemType: string): Follow | null
  /** @throws for a name that none of the kinds has */
  stored(name: string): StoredKind
  /** Tables of everything that is stored. */
  readonly tables: readonly RowTable[]
  /** Datasets that people may ask for, in the order of the kinds. */
  readonly datasets: readonly Dataset[]
}
