/**
 * The `mappings` of a source map, one by one. Written here because every library makes a list of numbers for each
 * mapping: a map of 30 MB has two million, which is more memory than compiling one may take.
 */
import { max } from '#limits/limits.ts'
import { DamagedMap } from './raw-map.ts'
import { SEMICOLON, VLQ_COMMA, VlqReader } from './vlq.ts'

/** All counted from 0; `source` is -1 for generated code, `name` -1 where none is given. */
export interface Mapping {
  readonly line: number
  readonly column: number
  readonly source: number
  readonly sourceLine: number
  readonly sourceColumn: number
  readonly name: number
}

type Moving = { -readonly [Name in keyof Mapping]: Mapping[Name] }

const TOKENS_MAX = max('mapTokensMax')
const LINES_MAX = max('mapLinesMax')
const NUMBER_MAX = 2 ** 31 - 1

/**
 * Every mapping, by line and, within one, by column.
 * @throws DamagedMap for what is no list of mappings, or too long a one
 */
export function* mappingsOf(mappings: string): Generator<Mapping, void> {
  const reader = new VlqReader(mappings, 'mappings')
  const now: Moving = { line: 0, column: 0, source: 0, sourceLine: 0, sourceColumn: 0, name: 0 }
  const line = new LineOrder()
  for (let count = 0; !reader.isAtEnd; ) {
    const code = reader.code
    if (code === SEMICOLON) {
      yield* line.flush()
      now.column = 0
      if (++now.line > LINES_MAX) throw new DamagedMap(`more than ${LINES_MAX} lines`)
      reader.skip()
    } else if (code === VLQ_COMMA) {
      reader.skip()
    } else {
      if (++count > TOKENS_MAX) throw new DamagedMap(`more than ${TOKENS_MAX} mappings`)
      yield* line.add(segment(reader, now))
    }
  }
  yield* line.flush()
}

const NONE: readonly Mapping[] = []

/** Sorts the mappings of a line, within a window: lines of minified files are long. */
class LineOrder {
  #kept: Mapping[] = []
  #last: Pick<Mapping, 'line' | 'column'> = { line: -1, column: -1 }

  add(mapping: Mapping): readonly Mapping[] {
    this.#kept.push(mapping)
    return this.#kept.length > WINDOW ? this.#sorted(this.#kept.splice(0, WINDOW / 2)) : NONE
  }

  flush(): readonly Mapping[] {
    const kept = this.#kept
    this.#kept = []
    return kept.length === 0 ? NONE : this.#sorted(kept)
  }

  #sorted(mappings: Mapping[]): readonly Mapping[] {
    const { line, column } = this.#last
    const first = mappings[0]
    this.#last = mappings.at(-1) ?? this.#last
    if (isSorted(mappings) && (first?.line !== line || first.column >= column)) return mappings
    mappings.sort((a, b) => a.column - b.column)
    this.#last = mappings.at(-1) ?? this.#last
    // What is further out of order than the window reaches could not be found.
    return mappings.filter((each) => each.line !== line || each.column >= column)
  }
}

/** Mappings of one line that are sorted together. */
const WINDOW = 4_096

function isSorted(mappings: readonly Mapping[]): boolean {
  return mappings.every((mapping, at) => at === 0 || mapping.column >= (mappings[at - 1]?.column ?? 0))
}

/** The next mapping; `now` goes on with what the one after it is relative to. */
function segment(reader: VlqReader, now: Moving): Mapping {
  now.column = movePlace(now.column, reader.signed())
  if (reader.isItemEnd()) return { ...now, source: -1, name: -1 }
  now.source = movePlace(now.source, reader.signed())
  now.sourceLine = movePlace(now.sourceLine, reader.signed())
  now.sourceColumn = movePlace(now.sourceColumn, reader.signed())
  if (reader.isItemEnd()) return { ...now, name: -1 }
  now.name = movePlace(now.name, reader.signed())
  if (!reader.isItemEnd()) throw new DamagedMap('a mapping of more than five numbers')
  return { ...now }
}

function movePlace(from: number, by: number): number {
  const to = from + by
  if (to < 0 || to > NUMBER_MAX) throw new DamagedMap('a mapping to no place')
  return to
}
