/** A small browser app that fails, built by a real bundler: what ran, its source map, and the failure as an SDK sends it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import type { BundledFiles } from './upload-bundle.ts'

/** Different ways of making the same sources short. */
export type Minifying = 'all' | 'names' | 'syntax'

const MINIFY = {
  all: true,
  names: { mangle: true, compress: false, codegen: false },
  syntax: { mangle: false, compress: true, codegen: true },
} as const

const CART = `/** Cart of a visitor. */
export class Cart {
  #lines: { price: number; count: number }[] = []

  add(price: number, count: number): this {
    this.#lines.push({ price, count })
    return this
  }

  total(): number {
    return this.#lines.reduce((sum, line) => sum + priceOf(line), 0)
  }
}

function priceOf(line: { price: number; count: number }): number {
  if (line.count < 0) throw new RangeError('a count below zero: ' + line.count)
  return line.price * line.count
}
`
const MAIN = `import { Cart } from './cart.ts'

declare const failed: (error: unknown) => void

function checkOut(count: number): number {
  return new Cart().add(3, 1).add(5, count).total()
}

for (const count of [1, 2, -1]) {
  try {
    checkOut(count)
  } catch (error) {
    failed(error)
  }
}
`
/** Frames of the failure, innermost first. */
export const FAILS_AT = [
  { file: 'src/cart.ts', line: 16, function: 'priceOf', text: '  if (line.count < 0) throw' },
  { file: 'src/main.ts', line: 6, function: 'checkOut', text: '  return new Cart().add(3, 1)' },
] as const

export interface BuiltApp {
  readonly debugId: string
  /** Exception as the SDK sent it. */
  readonly exception: Readonly<Record<string, unknown>>
  readonly debugMeta: Readonly<Record<string, unknown>>
  readonly bundle: BundledFiles
}

export async function buildApp(
  directory: string,
  { minifying, debugId }: { readonly minifying: Minifying; readonly debugId: string },
): Promise<BuiltApp> {
  const root = join(directory, minifying)
  await mkdir(join(root, 'src'), { recursive: true })
  await writeFile(join(root, 'src/cart.ts'), CART)
  await writeFile(join(root, 'src/main.ts'), MAIN)
  await build({
    ...{ root, configFile: false, logLevel: 'silent', publicDir: false },
    build: {
      sourcemap: true,
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(root, 'src/main.ts'),
        output: { format: 'iife', entryFileNames: 'main.js', minify: MINIFY[minifying] },
      },
    },
  })
  const [code, map] = await Promise.all(
    ['main.js', 'main.js.map'].map((name) => readFile(join(root, 'dist', name))),
  )
  if (code === undefined || map === undefined) throw new Error('the bundler wrote no files')
  const url = `https://shop.example/assets/main-${minifying}.js`
  return {
    debugId,
    exception: exceptionOf(code.toString('utf8'), url),
    debugMeta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
    bundle: {
      'files/main.js': {
        ...{ type: 'minified_source', url: `~/assets/main-${minifying}.js`, bytes: code },
        headers: { 'debug-id': debugId, sourcemap: 'main.js.map' },
      },
      'files/main.js.map': {
        ...{ type: 'source_map', url: '~/assets/main.js.map', bytes: map },
        headers: { 'debug-id': debugId },
      },
    },
  }
}

function exceptionOf(code: string, url: string): BuiltApp['exception'] {
  const thrown: unknown[] = []
  runInNewContext(code, { failed: (error: unknown) => thrown.push(error) }, { filename: url })
  const [error] = thrown
  if (!hasStack(error)) throw new Error('the app did not fail')
  const frames = error.stack.split('\n').flatMap((line) => {
    const [, name, lineno, colno] = /^ {4}at (?:(.*) \()?https:[^:]*:(\d+):(\d+)\)?$/.exec(line) ?? []
    if (lineno === undefined) return []
    return {
      filename: url,
      function: name ?? '?',
      lineno: Number(lineno),
      colno: Number(colno),
      in_app: true,
    }
  })
  return { type: 'RangeError', value: error.message, stacktrace: { frames: frames.reverse() } }
}

/** An error of another context is no instance of our own class. */
function hasStack(error: unknown): error is { readonly stack: string; readonly message: string } {
  return typeof error === 'object' && error !== null && 'stack' in error && 'message' in error
}
