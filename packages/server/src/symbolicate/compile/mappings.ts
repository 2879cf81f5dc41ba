/**
 * The `mappings` of a source map, one by one. Written here because every library makes a list of numbers for each
 * mapping: a map of 30 MB has two million, which is more memory than compiling one may take.
 */
import { max } from '#limits/limits.ts'
import { DamagedMap } from './raw-map.ts'

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

const COMMA = 44
const SEMICOLON = 59
const TOKENS_MAX = max('mapTokensMax')
const LINES_MAX = max('mapLinesMax')
const NUMBER_MAX = 2 ** 31 - 1

const VALUES = base64Values()

function base64Values(): Int8Array {
  const values = new Int8Array(128).fill(-1)
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value
  return values
}

/**
 * Every mapping, by line and, within one, by column.
 * @throws DamagedMap for what is no list of mappings, or too long a one
 */
export function* mappingsOf(mappings: string): Generator<Mapping, void> {
  const reader = new MappingReader(mappings)
  const now: Moving = { line: 0, column: 0, source: 0, sourceLine: 0, sourceColumn: 0, name: 0 }
  const line = new LineOrder()
  for (let count = 0; !reader.isAtEnd; ) {
    const code = reader.code
    if (code === SEMICOLON) {
      yield* line.flush()
      now.column = 0
      if (++now.line > LINES_MAX) throw new DamagedMap(`more than ${LINES_MAX} lines`)
      reader.skip()
    } else if (code === COMMA) {
      reader.skip()
    } else {
      if (++count > TOKENS_MAX) throw new DamagedMap(`more than ${TOKENS_MAX} mappings`)
      yield* line.add(reader.segment(now))
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

class MappingReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  get code(): number {
    return this.#text.charCodeAt(this.#at)
  }

  skip(): void {
    this.#at++
  }

  /** The next mapping; `now` goes on with what the one after it is relative to. */
  segment(now: Moving): Mapping {
    now.column = moved(now.column, this.#number())
    if (this.#isSegmentEnd()) return { ...now, source: -1, name: -1 }
    now.source = moved(now.source, this.#number())
    now.sourceLine = moved(now.sourceLine, this.#number())
    now.sourceColumn = moved(now.sourceColumn, this.#number())
    if (this.#isSegmentEnd()) return { ...now, name: -1 }
    now.name = moved(now.name, this.#number())
    if (!this.#isSegmentEnd()) throw new DamagedMap('a mapping of more than five numbers')
    return { ...now }
  }

  #isSegmentEnd(): boolean {
    if (this.isAtEnd) return true
    return this.code === COMMA || this.code === SEMICOLON
  }

  #number(): number {
    let value = 0
    for (let shift = 0; ; shift += 5) {
      const digit = VALUES[this.code] ?? -1
      if (digit < 0 || shift > 30) throw new DamagedMap(`no number at ${this.#at} of its mappings`)
      this.#at++
      value += (digit & 31) * 2 ** shift
      if ((digit & 32) === 0) break
    }
    const amount = Math.floor(value / 2)
    return value % 2 === 1 ? -amount : amount
  }
}

function moved(from: number, by: number): number {
  const to = from + by
  if (to < 0 || to > NUMBER_MAX) throw new DamagedMap('a mapping to no place')
  return to
}
