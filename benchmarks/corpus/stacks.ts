/** Stack traces by number: the same number is the same group, another number another one. */
import { type Dice, diceOf } from './random.ts'
import { ERROR_TYPES, functionName, LIBRARIES, modulePath } from './words.ts'

export interface Frame {
  readonly filename: string
  readonly abs_path?: string
  readonly module?: string
  readonly function: string
  readonly lineno: number
  readonly colno: number
  readonly in_app: boolean
  readonly pre_context?: readonly string[]
  readonly context_line?: string
  readonly post_context?: readonly string[]
}

export interface Stack {
  readonly type: string
  /** Route that fails with this stack. */
  readonly route: string
  /** Decimal number an error page would show. */
  readonly digest: string
  readonly frames: readonly Frame[]
}

export interface StackShape {
  readonly frames: number
  /** Source lines around each frame, as the Node SDK reads them; 0 as a browser, which cannot. */
  readonly contextLines: number
}

/** Names of the app differ within this many stacks; beyond it a second frame tells them apart. */
const NAMES = 50_000

export function makeStack(seed: number, number: number, shape: StackShape): Stack {
  const dice = diceOf(seed ^ 0x57ac, number)
  const first = modulePath(number % NAMES)
  const frames = Array.from({ length: shape.frames }, (_, depth) => {
    // Oldest call first, as the wire has it; the last three are always the app's own.
    const isApp = depth >= shape.frames - 3 || depth % 3 === 1
    if (!isApp) return libraryFrame(dice, depth)
    const own =
      depth === shape.frames - 1
        ? number % NAMES
        : depth === shape.frames - 2
          ? number / NAMES
          : number + depth
    return appFrame(dice, Math.floor(own), shape.contextLines)
  })
  return {
    type: ERROR_TYPES[number % ERROR_TYPES.length] ?? 'Error',
    route: `/${first}/[id]`,
    digest: String(1_000_000_000 + dice.below(3_000_000_000)),
    frames,
  }
}

function appFrame(dice: Dice, number: number, contextLines: number): Frame {
  const path = modulePath(number % NAMES)
  const name = functionName(number % NAMES)
  const file = contextLines > 0 ? `/srv/shop/src/${path}.ts` : `app:///_next/static/chunks/app/${path}.js`
  const frame = {
    filename: file,
    ...(contextLines > 0 ? { abs_path: file, module: path.replaceAll('/', '.') } : {}),
    function: dice.below(3) === 0 ? `async ${name}` : name,
    lineno: contextLines > 0 ? 10 + dice.below(400) : 1,
    colno: contextLines > 0 ? 3 + dice.below(60) : 1 + dice.below(90_000),
    in_app: true,
  }
  if (contextLines === 0) return frame
  const line = () => sourceLine(dice)
  return {
    ...frame,
    pre_context: Array.from({ length: contextLines }, line),
    context_line: `  const ${name.toLowerCase().slice(0, 8)} = await ${name}(${functionName(number + 7)}.id)`,
    post_context: Array.from({ length: contextLines }, line),
  }
}

function libraryFrame(dice: Dice, depth: number): Frame {
  const library = dice.pick(LIBRARIES)
  return {
    filename: `/srv/shop/node_modules/${library}`,
    module: library.replace(/\.js$/, '').replaceAll('/', '.'),
    function: depth === 0 ? 'process.processTicksAndRejections' : `Object.${functionName(dice.below(200))}`,
    lineno: 1 + dice.below(2_000),
    colno: 1 + dice.below(80),
    in_app: false,
  }
}

function sourceLine(dice: Dice): string {
  const [a, b, c] = [dice.below(2_000), dice.below(2_000), dice.below(2_000)]
  switch (dice.below(5)) {
    case 0:
      return `    if (!${functionName(a)}.ok) throw new Error('cannot ${functionName(b)}')`
    case 1:
      return `    const { ${functionName(a)}, total } = await ${functionName(b)}(request)`
    case 2:
      return `  return ${functionName(a)}(${functionName(b)}, { signal: context.signal })`
    case 3:
      return `    // ${functionName(a)} comes before ${functionName(c)}`
    default:
      return `  for (const item of ${functionName(b)}.items) sum += item.${functionName(c)}`
  }
}
