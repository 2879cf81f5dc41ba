/** The one list of kinds: a new one adds a folder and a line. */
import { assert } from '#base/errors.ts'
import type { Dataset } from '#model/dataset.ts'
import { attachment } from './attachment/index.ts'
import { clientReport } from './client-report/index.ts'
import { error } from './error/index.ts'
import type { Follow, Kind, Kinds, StoredKind } from './kind.ts'
import { session } from './session/index.ts'
import { span } from './span/index.ts'
import { readUnsupported } from './unsupported/index.ts'

/** A new kind goes to the end. */
export const KIND_LIST: readonly Kind[] = [error, span, session, clientReport, attachment]

export const KINDS: Kinds = kindsOf(KIND_LIST)

/** Puts kinds together; item types, tables and datasets are each of one kind. */
export function kindsOf(kinds: readonly Kind[]): Kinds {
  for (const [what, names] of [
    ['item type', kinds.flatMap(({ itemTypes }) => itemTypes)],
    ['table', kinds.flatMap(({ stored }) => stored?.table.kind ?? [])],
    ['dataset', kinds.flatMap(({ stored }) => datasetNames(stored?.dataset))],
  ] as const) {
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    assert(twice === undefined, `the ${what} ${twice} is of one kind`)
  }
  const readers = new Map(kinds.flatMap(({ itemTypes, read }) => itemTypes.map((type) => [type, read])))
  const follows = new Map(
    kinds.flatMap(({ itemTypes, follow }) =>
      follow === undefined ? [] : itemTypes.map((type): [string, Follow] => [type, follow]),
    ),
  )
  const stored = new Map(
    kinds.flatMap((kind): [string, StoredKind][] =>
      kind.stored === null ? [] : [[kind.stored.table.kind, kind.stored]],
    ),
  )
  return {
    readerOf: (itemType) => readers.get(itemType) ?? readUnsupported,
    followOf: (itemType) => follows.get(itemType) ?? null,
    stored(name) {
      const kind = stored.get(name)
      assert(kind !== undefined, `there is a kind called ${name}`)
      return kind
    },
    tables: [...stored.values()].map(({ table }) => table),
    datasets: [...stored.values()].flatMap(({ dataset }) => dataset ?? []),
  }
}

function datasetNames(dataset: Dataset | undefined): readonly string[] {
  return dataset === undefined ? [] : [dataset.name, ...dataset.aliases]
}
