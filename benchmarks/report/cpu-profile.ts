/** Reads V8's CPU profiles: what a part of the program took of all that ran, by their samples. Pure. */

export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  /** Start of the first delta, in microseconds of the clock that `process.hrtime` has too. */
  readonly startTime: number
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

export interface Span {
  readonly fromMicros: number
  readonly toMicros: number
}

export interface Share {
  /** Share of the named functions, and of whatever they called. */
  readonly within: number
  /** Time that anything ran. Collecting garbage belongs to nobody and is left out. */
  readonly busy: number
}

/**
 * V8 takes a sample every millisecond. What is longer is a thread that waited for a core: on a busy machine it is most
 * of the time, and says nothing of what it was about to do.
 */
const SAMPLE_MICROS_MAX = 1_500
const NOBODYS = new Set(['(idle)', '(program)', '(garbage collector)', '(root)'])

/** Microseconds of one thread, within the spans. */
export function shareOf(profile: CpuProfile, functions: ReadonlySet<string>, spans: readonly Span[]): Share {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const named = new Set<number>()
  const mark = (id: number, isWithin: boolean) => {
    const node = nodes.get(id)
    if (node === undefined) return
    const marked = isWithin || functions.has(node.callFrame.functionName)
    if (marked) named.add(id)
    for (const child of node.children ?? []) mark(child, marked)
  }
  const [root] = profile.nodes
  if (root !== undefined) mark(root.id, false)
  let atMicros = profile.startTime
  let [within, busy] = [0, 0]
  for (const [index, id] of profile.samples.entries()) {
    const micros = profile.timeDeltas[index] ?? 0
    atMicros += micros
    const isAsked = spans.some(({ fromMicros, toMicros }) => atMicros >= fromMicros && atMicros <= toMicros)
    if (!isAsked || NOBODYS.has(nodes.get(id)?.callFrame.functionName ?? '(root)')) continue
    const ran = Math.min(micros, SAMPLE_MICROS_MAX)
    busy += ran
    if (named.has(id)) within += ran
  }
  return { within, busy }
}
