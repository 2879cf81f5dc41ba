/** Which frames of a stack stand open, and which are folded into one counted row. Pure. */
import type { FrameRepeat, StackFrame } from '#parts/stack-frame.ts'

/** A frame with its place in the event's own list (oldest first), which names its path. */
export interface PlacedFrame {
  readonly frame: StackFrame
  readonly index: number
}

export type StackRow =
  | { readonly kind: 'frame'; readonly placed: PlacedFrame; readonly isOpen: boolean }
  | { readonly kind: 'run'; readonly frames: readonly PlacedFrame[]; readonly libraries: readonly string[] }
  | {
      readonly kind: 'repeat'
      /** All but the newest round, which stands above. */
      readonly frames: readonly PlacedFrame[]
      readonly size: number
      readonly times: number
    }

export type FramesShown = 'app' | 'all'

/** Frames that may stand open in one stack; the rest opens by hand. */
const OPEN_MAX = 3

interface StackSetting {
  /** Calls that repeat, of which the event has one round. */
  readonly stored?: readonly FrameRepeat[]
  /** Another exception of the event has frames of the app. */
  readonly isBesideApp?: boolean
}

/**
 * Rows of a stack, newest call first. With `app`, runs of library frames become one row each; where no frame is of
 * the app, the newest stands for it, closed beside an exception that has some. The first frames of the app that have something to
 * show are open.
 */
export function stackRows(
  frames: readonly StackFrame[],
  shown: FramesShown,
  { stored = [], isBesideApp = false }: StackSetting = {},
): readonly StackRow[] {
  const newestFirst = frames.map((frame, index) => ({ frame, index })).reverse()
  const repeats = repeatsIn(frames, stored)
  const hasApp = frames.some((frame) => frame.in_app === true)
  const isMain = ({ frame }: PlacedFrame, at: number) => (hasApp ? frame.in_app === true : at === 0)
  const rows: StackRow[] = []
  let run: PlacedFrame[] = []
  let open = 0
  const flush = () => {
    if (run.length > 0) rows.push({ kind: 'run', frames: run, libraries: librariesOf(run) })
    run = []
  }
  for (const [at, placed] of newestFirst.entries()) {
    const repeat = repeats.find(({ from, to }) => placed.index >= from && placed.index < to)
    if (repeat !== undefined) {
      if (placed.index !== repeat.to - 1) continue
      flush()
      const hidden = newestFirst.slice(at, at + repeat.to - repeat.from)
      rows.push({ kind: 'repeat', frames: hidden, size: repeat.size, times: repeat.times })
      continue
    }
    if (shown === 'app' && !isMain(placed, at)) {
      run.push(placed)
      continue
    }
    flush()
    const opens = hasApp || !isBesideApp
    const isOpen = opens && isMain(placed, at) && open < OPEN_MAX && (open === 0 || hasSource(placed.frame))
    if (isOpen) open += 1
    rows.push({ kind: 'frame', placed, isOpen })
  }
  flush()
  return rows
}

/** Longest round of calls that is folded, and how many rounds are worth it. */
const ROUND_MAX = 8
const ROUNDS_MIN = 3

interface Repeat {
  /** Frames that are folded: all rounds but the newest. */
  readonly from: number
  readonly to: number
  readonly size: number
  /** Rounds in all, also those that are not stored. */
  readonly times: number
}

/** Calls that repeat, newest round left out: those that are stored as such, and those that are seen. */
function repeatsIn(frames: readonly StackFrame[], stored: readonly FrameRepeat[]): readonly Repeat[] {
  const calls = frames.map(({ function: name, filename, module, lineno, instruction_addr: address }) =>
    [name, filename ?? module, lineno, address].join('\n'),
  )
  const repeats: Repeat[] = []
  for (let at = 0; at < frames.length; ) {
    const known = stored.find((repeat) => repeat.at === at)
    const rounds =
      known === undefined ? roundsAt(calls, at) : { size: known.size, kept: 2, times: known.times }
    if (rounds === null) {
      at += 1
      continue
    }
    const end = at + rounds.size * rounds.kept
    repeats.push({ from: at, to: end - rounds.size, size: rounds.size, times: rounds.times })
    at = end
  }
  return repeats
}

function roundsAt(calls: readonly string[], at: number) {
  for (let size = 1; size <= ROUND_MAX; size += 1) {
    let end = at + size
    while (end < calls.length && calls[end] === calls[end - size]) end += 1
    const kept = Math.floor((end - at) / size)
    if (kept >= ROUNDS_MIN) return { size, kept, times: kept }
  }
  return null
}

function hasSource(frame: StackFrame): boolean {
  return frame.context_line !== undefined
}

const LIBRARIES_NAMED = 2

/** The libraries of a run, the most frequent first. */
function librariesOf(run: readonly PlacedFrame[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { frame } of run) {
    const name = libraryOf(frame)
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, LIBRARIES_NAMED)
    .map(([name]) => name)
}

const NODE_MODULE =
  /node_modules[\\/](?:\.pnpm[\\/][^\\/]+[\\/]node_modules[\\/])?((?:@[^\\/]+[\\/])?[^\\/]+)/g
/** Bundlers' files of packages: `node_modules_next_dist_1a2b._.js`, `vendor-D2f9x1Ab.js`. */
const CHUNK =
  /node_modules[_~-](?:@([a-z0-9-]+)_)?([a-z0-9.-]+)[^\\/]*\.[cm]?js|(?:^|[\\/])(?:chunk-)?(vendors?|framework)[.-][^\\/]*\.[cm]?js/i
const PACKAGE_FOLDERS = [
  /[\\/](?:site|dist)-packages[\\/]([^\\/]+?)(?:\.py)?(?:[\\/]|$)/,
  /[\\/]gems[\\/]([^\\/]+?)-\d[^\\/]*[\\/]/,
  /[\\/]vendor[\\/]([^\\/]+[\\/][^\\/]+)[\\/]/,
  /[\\/]pkg[\\/]mod[\\/]([^@]+)@/,
  /\.cargo[\\/]registry[\\/]src[\\/][^\\/]+[\\/]([^\\/]+?)-\d/,
]

/** The library a frame belongs to, as short as it is recognisable; `null` when nothing names it. */
export function libraryOf(frame: StackFrame): string | null {
  const path = frame.abs_path ?? frame.filename ?? ''
  const internal = /^(node:[a-z_]+|native|<internal:[^>]+|internal)/.exec(frame.filename ?? path)?.[1]
  if (internal !== undefined) return internal.replace(/^</, '').slice(0, NAME_CHARS_MAX)
  const inModules = [...path.matchAll(NODE_MODULE)].at(-1)?.[1]
  if (inModules !== undefined) return inModules.replaceAll('\\', '/').slice(0, NAME_CHARS_MAX)
  const chunk = chunkName(path)
  if (chunk !== null) return chunk
  for (const pattern of PACKAGE_FOLDERS) {
    const name = pattern.exec(path)?.[1]
    if (name !== undefined) return name.slice(0, NAME_CHARS_MAX)
  }
  const name = frame.module ?? frame.package ?? frame.filename
  if (name === undefined) return null
  const parts = name.split(/[.:/\\]+/).filter((part) => part !== '')
  return parts.slice(0, 2).join('.').slice(0, NAME_CHARS_MAX) || null
}

function chunkName(path: string): string | null {
  const [, scope, name, bundle] = CHUNK.exec(path) ?? []
  if (bundle !== undefined) return `${bundle} chunk`
  if (name === undefined) return null
  return (scope === undefined ? name : `@${scope}/${name}`).slice(0, NAME_CHARS_MAX)
}

const NAME_CHARS_MAX = 60

/** Why a frame shows no source, in words. */
export function withoutSource(frame: StackFrame, platform: string): string {
  const path = frame.filename ?? frame.abs_path ?? ''
  if (/^(?:node:|native|<internal|internal\/|\[native)/.test(path))
    return 'Part of the runtime: it has no source file.'
  if (frame.instruction_addr !== undefined) return 'Compiled code: the SDK sends an address, no source.'
  if (platform === 'javascript' || /^https?:/.test(frame.abs_path ?? '')) {
    return 'Browsers send no source lines. Source maps make the built file readable.'
  }
  if (/[.-][0-9a-f]{8,}\.m?js$|\.min\.js$|[\\/](?:dist|build|\.next)[\\/]/.test(path)) {
    return 'A built file without source lines. Source maps make it readable.'
  }
  return 'The SDK sent no source lines with this frame.'
}
