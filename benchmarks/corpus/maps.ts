/** Files of a build with their source maps, and the frames of events that ran them. */
import { createHash } from 'node:crypto'
import { encodedMap, type SourceMapSegment, TraceMap } from '@jridgewell/trace-mapping'
import { type Dice, diceOf } from './random.ts'
import type { Frame, Stack } from './stacks.ts'
import { functionName, modulePath } from './words.ts'

/** Chunks of the build; each has this many sources of so many functions. */
const CHUNKS = 8
const SOURCES = 120
const FUNCTIONS = 20
/** Lines of one function: its head, what it does, its end. */
const FUNCTION_LINES = 8
const TOKENS_A_LINE = 6
const TOKEN_COLUMNS = 5

export interface BuiltFile {
  readonly path: string
  readonly debugId: string
  readonly code: string
  readonly map: string
}

const pathOf = (chunk: number): string => `app:///_next/static/chunks/${9_000 + chunk}.js`

/**
 * Debug id of a chunk, of the build that is uploaded or of one that never was: events of both are alike but
 * for this.
 */
function debugIdOf(chunk: number, isUploaded: boolean): string {
  const hex = createHash('sha1').update(`${chunk} ${isUploaded}`).digest('hex')
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** `debug_meta` as SDKs write it: the files that the frames name. */
export function debugMetaOf(frames: readonly Frame[], isUploaded: boolean) {
  const named = new Set(frames.map(({ filename }) => filename))
  const chunks = Array.from({ length: CHUNKS }, (_, chunk) => chunk).filter((chunk) =>
    named.has(pathOf(chunk)),
  )
  return {
    images: chunks.map((chunk) => ({
      ...{ type: 'sourcemap', code_file: pathOf(chunk), debug_id: debugIdOf(chunk, isUploaded) },
    })),
  }
}

const LINES = SOURCES * FUNCTIONS * FUNCTION_LINES

/** The same stack, as thrown by the build: the app's own frames stand anywhere in its chunks. */
export function asBuilt(stack: Stack, seed: number, number: number): Stack {
  const dice = diceOf(seed ^ 0x3a95, number)
  const frames = stack.frames.map((frame) =>
    frame.in_app
      ? {
          ...{ filename: pathOf(dice.below(CHUNKS)), function: 'e', in_app: true, lineno: 1 },
          colno: 1 + dice.below(LINES * TOKENS_A_LINE) * TOKEN_COLUMNS,
        }
      : frame,
  )
  return { ...stack, frames }
}

/** Files of the build that is uploaded. */
export function builtFiles(seed: number): readonly BuiltFile[] {
  return Array.from({ length: CHUNKS }, (_, chunk) => builtFile(diceOf(seed ^ 0x51ce, chunk), chunk))
}

function builtFile(dice: Dice, chunk: number): BuiltFile {
  const sources: string[] = []
  const sourcesContent: string[] = []
  const segments: SourceMapSegment[] = []
  for (let source = 0; source < SOURCES; source++) {
    sources.push(`../../src/${modulePath(chunk * SOURCES + source)}.ts`)
    sourcesContent.push(sourceText(dice, source))
    for (let line = 0; line < FUNCTIONS * FUNCTION_LINES; line++) {
      for (let token = 0; token < TOKENS_A_LINE; token++) {
        segments.push([segments.length * TOKEN_COLUMNS, source, line, token * 2])
      }
    }
  }
  const debugId = debugIdOf(chunk, true)
  const { mappings } = encodedMap(new TraceMap({ version: 3, sources, names: [], mappings: [segments] }))
  const map = JSON.stringify({ version: 3, debugId, sources, sourcesContent, names: [], mappings })
  const code = `${'e();;'.repeat(segments.length)}\n//# debugId=${debugId}\n`
  return { path: pathOf(chunk), debugId, code, map }
}

function sourceText(dice: Dice, source: number): string {
  const functions = Array.from({ length: FUNCTIONS }, (_, at) => {
    const name = `${functionName(source * FUNCTIONS + at)}${at}`
    const calls = Array.from(
      { length: FUNCTION_LINES - 2 },
      () =>
        `  const ${functionName(dice.below(2_000))}${dice.hex(6)} = await load(order.${functionName(at)})`,
    )
    return [`export async function ${name}(order: Order) {`, ...calls, '}'].join('\n')
  })
  return functions.join('\n')
}
