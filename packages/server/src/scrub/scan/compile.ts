/**
 * Compiles the little language that `program.ts` is written in to a WebAssembly module, byte by byte: numbers of 32 bits,
 * `let`, `while`, `if`, `return`, calls, and memory as `u8[…]`, `u16[…]` and `i32[…]`, by addresses in bytes. Globals
 * begin with a capital; names that are given a value here are constants.
 */
import { assert } from '#base/errors.ts'

const I32 = 0x7f
const SECTION = { types: 1, imports: 2, functions: 3, globals: 6, exports: 7, code: 10 } as const
/** Names of the memory, and of what is exported. */
export const [MODULE, MEMORY] = ['env', 'memory']
const MAIN = 'scan'

const OPERATORS: Readonly<Record<string, readonly [strength: number, code: number]>> = {
  '|': [1, 0x72],
  '^': [2, 0x73],
  '&': [3, 0x71],
  '==': [4, 0x46],
  '!=': [4, 0x47],
  '<': [5, 0x48],
  '>': [5, 0x4a],
  '<=': [5, 0x4c],
  '>=': [5, 0x4e],
  '<<': [6, 0x74],
  '>>': [6, 0x75],
  '+': [7, 0x6a],
  '-': [7, 0x6b],
  '*': [8, 0x6c],
  '/': [8, 0x6d],
}
const LOADS: Readonly<Record<string, readonly number[]>> = {
  u8: [0x2d, 0, 0],
  u16: [0x2f, 1, 0],
  i32: [0x28, 2, 0],
}
const STORES: Readonly<Record<string, readonly number[]>> = { u8: [0x3a, 0, 0], i32: [0x36, 2, 0] }
const TOKEN = /\s*(?:\/\/[^\n]*\n\s*)*(==|!=|<=|>=|<<|>>|&&|\|\||0x[\da-f]+|\d+|\w+|[^\s\w])/gy

/** The module's bytes; `pages`: of the memory that it is given. */
export function compileModule(
  source: string,
  constants: Readonly<Record<string, number>>,
  pages: number,
): Uint8Array<ArrayBuffer> {
  return new Compiler(source, constants).module(pages)
}

interface Compiled {
  readonly parameters: number
  readonly locals: number
  readonly code: readonly number[]
}

class Compiler {
  readonly #tokens: readonly string[]
  readonly #constants: ReadonlyMap<string, number>
  readonly #functions: readonly string[]
  readonly #globals: string[] = []
  #at = 0
  #locals: string[] = []

  constructor(source: string, constants: Readonly<Record<string, number>>) {
    this.#tokens = Array.from(source.matchAll(TOKEN), ([, token]) => token ?? '')
    this.#constants = new Map(Object.entries(constants))
    // Known before their bodies are: they call each other.
    this.#functions = this.#tokens.filter((_, at) => this.#tokens[at - 1] === 'function')
  }

  module(pages: number): Uint8Array<ArrayBuffer> {
    const compiled: Compiled[] = []
    while (this.#at < this.#tokens.length) {
      if (this.#takes('let')) this.#global()
      else compiled.push(this.#function())
    }
    const types = compiled.map(({ parameters }) => [0x60, ...list(Array(parameters).fill([I32])), 1, I32])
    const main = this.#functions.indexOf(MAIN)
    assert(main !== -1, `the program has a function ${MAIN}`)
    return Uint8Array.from([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(SECTION.types, list(types)),
      ...section(
        SECTION.imports,
        list([[...name(MODULE), ...name(MEMORY), 2, 1, ...unsignedLeb(pages), ...unsignedLeb(pages)]]),
      ),
      ...section(SECTION.functions, list(compiled.map((_, at) => unsignedLeb(at)))),
      ...section(SECTION.globals, list(this.#globals.map(() => [I32, 1, 0x41, 0, 0x0b]))),
      ...section(SECTION.exports, list([[...name(MAIN), 0, ...unsignedLeb(main)]])),
      ...section(SECTION.code, list(compiled.map(body))),
    ])
  }

  #global(): void {
    this.#globals.push(this.#next())
    this.#expect(';')
  }

  #function(): Compiled {
    this.#expect('function')
    this.#next()
    this.#locals = []
    this.#expect('(')
    while (!this.#takes(')')) {
      this.#locals.push(this.#next())
      this.#takes(',')
    }
    const parameters = this.#locals.length
    // Every way through ends with `return`; the engine wants to see one at the end.
    const code = [...this.#block(), 0x00]
    return { parameters, locals: this.#locals.length - parameters, code }
  }

  #block(): number[] {
    if (!this.#takes('{')) return this.#statement()
    const code: number[] = []
    while (!this.#takes('}')) code.push(...this.#statement())
    return code
  }

  #statement(): number[] {
    const token = this.#next()
    if (token === 'if') return this.#if()
    if (token === 'while') return this.#while()
    if (token === 'return') return [...this.#ended(), 0x0f]
    if (token === 'let') {
      this.#locals.push(this.#peek())
      return this.#assigned(this.#next())
    }
    const store = STORES[token]
    if (store !== undefined && this.#takes('[')) {
      const address = this.#expression()
      this.#expect(']')
      this.#expect('=')
      return [...address, ...this.#ended(), ...store]
    }
    return this.#assigned(token)
  }

  #if(): number[] {
    const condition = this.#condition()
    const code = [...condition, 0x04, 0x40, ...this.#block()]
    if (this.#takes('else')) code.push(0x05, ...this.#block())
    return [...code, 0x0b]
  }

  #while(): number[] {
    const condition = this.#condition()
    return [0x02, 0x40, 0x03, 0x40, ...condition, 0x45, 0x0d, 1, ...this.#block(), 0x0c, 0, 0x0b, 0x0b]
  }

  #condition(): number[] {
    this.#expect('(')
    const code = this.#expression()
    this.#expect(')')
    return code
  }

  /** `x = …;`, `x |= …;` or `x += …;` */
  #assigned(target: string): number[] {
    const operator = this.#next()
    const isPlain = operator === '='
    if (!isPlain) this.#expect('=')
    const value = this.#ended()
    const code = isPlain ? value : [...this.#named(target), ...value, codeOf(operator)]
    const local = this.#locals.lastIndexOf(target)
    if (local !== -1) return [...code, 0x21, ...unsignedLeb(local)]
    const global = this.#globals.indexOf(target)
    assert(global !== -1, `${target} is declared before it is set`)
    return [...code, 0x24, ...unsignedLeb(global)]
  }

  #ended(): number[] {
    const code = this.#expression()
    this.#expect(';')
    return code
  }

  /** The second operand of `&&` and `||` is looked at only where it decides. */
  #expression(): number[] {
    let code = this.#both()
    while (this.#takes('||')) code = [...code, 0x04, I32, 0x41, 1, 0x05, ...truthCode(this.#both()), 0x0b]
    return code
  }

  #both(): number[] {
    let code = this.#operation(0)
    while (this.#takes('&&'))
      code = [...code, 0x04, I32, ...truthCode(this.#operation(0)), 0x05, 0x41, 0, 0x0b]
    return code
  }

  #operation(least: number): number[] {
    let code = this.#operand()
    for (;;) {
      const operator = OPERATORS[this.#peek()]
      if (operator === undefined || operator[0] <= least) return code
      this.#at++
      code = [...code, ...this.#operation(operator[0]), operator[1]]
    }
  }

  #operand(): number[] {
    const token = this.#next()
    if (token === '(') {
      const code = this.#expression()
      this.#expect(')')
      return code
    }
    if (token === '-') return [0x41, 0, ...this.#operand(), codeOf('-')]
    if (/^\d/.test(token)) return constantCode(Number(token))
    const load = LOADS[token]
    if (load !== undefined && this.#takes('[')) {
      const address = this.#expression()
      this.#expect(']')
      return [...address, ...load]
    }
    return this.#takes('(') ? this.#call(token) : this.#named(token)
  }

  #call(called: string): number[] {
    const place = this.#functions.indexOf(called)
    assert(place !== -1, `${called} is a function`)
    const code: number[] = []
    while (!this.#takes(')')) {
      code.push(...this.#expression())
      this.#takes(',')
    }
    return [...code, 0x10, ...unsignedLeb(place)]
  }

  #named(word: string): number[] {
    const local = this.#locals.lastIndexOf(word)
    if (local !== -1) return [0x20, ...unsignedLeb(local)]
    const global = this.#globals.indexOf(word)
    if (global !== -1) return [0x23, ...unsignedLeb(global)]
    const value = this.#constants.get(word)
    assert(value !== undefined, `${word} has a meaning`)
    return constantCode(value)
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? ''
  }

  #takes(token: string): boolean {
    if (this.#peek() !== token) return false
    this.#at++
    return true
  }

  #expect(token: string): void {
    assert(this.#takes(token), `"${token}" and not "${this.#peek()}" at token ${this.#at}`)
  }
}

function codeOf(operator: string): number {
  const known = OPERATORS[operator]
  assert(known !== undefined, `${operator} is an operator`)
  return known[1]
}

/** 0 or 1. */
function truthCode(code: readonly number[]): number[] {
  return [...code, 0x41, 0, 0x47]
}

function body({ locals, code }: Compiled): number[] {
  const declared = locals === 0 ? [0] : [1, ...unsignedLeb(locals), I32]
  const all = [...declared, ...code, 0x0b]
  return [...unsignedLeb(all.length), ...all]
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsignedLeb(content.length), ...content]
}

function list(entries: readonly (readonly number[])[]): number[] {
  return [...unsignedLeb(entries.length), ...entries.flat()]
}

function name(text: string): number[] {
  const bytes = [...Buffer.from(text)]
  return [...unsignedLeb(bytes.length), ...bytes]
}

function constantCode(value: number): number[] {
  return [0x41, ...signedLeb(value | 0)]
}

/** LEB128. */
function unsignedLeb(value: number): number[] {
  const bytes: number[] = []
  for (let left = value; ; left >>>= 7) {
    const low = left & 0x7f
    if (left >>> 7 === 0) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

function signedLeb(value: number): number[] {
  const bytes: number[] = []
  for (let left = value; ; left >>= 7) {
    const low = left & 0x7f
    const rest = left >> 7
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}
