/**
 * Shortens a stack of too many frames: of repeating calls it keeps the first and the last round and their
 * number; of the rest both ends. In endless recursion the oldest frames tell who began it.
 */
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { FrameRepeat } from '#model/event.ts'

/** Longest round of calls that is looked for. */
const SIZE_MAX = max('repeatedFramesMax')
/** Two rounds are kept; fewer than these are not worth a fold. */
const ROUNDS_MIN = 4
const ROUNDS_KEPT = 2
/** Part of the frames that are kept for who called. */
const OLDEST_PART = 0.2

export interface KeptFrames {
  /** Places in the list, oldest first. */
  readonly places: readonly number[]
  readonly repeats: readonly FrameRepeat[]
  /** Frames that nothing stands for. */
  readonly omitted: number
}

/** All frames where they are no more than `framesMax`. */
export function keptFrames(frames: readonly unknown[], framesMax: number): KeptFrames {
  if (frames.length <= framesMax) return { places: [...frames.keys()], repeats: [], omitted: 0 }
  const keys = frames.map(frameCall)
  const places: number[] = []
  const repeats: FrameRepeat[] = []
  for (let at = 0; at < keys.length; ) {
    const round = repeatAt(keys, at)
    const size = round === null ? 1 : round.size
    const times = round === null ? 1 : round.times
    if (round !== null) repeats.push({ at: places.length, size, times })
    const kept = Math.min(times, ROUNDS_KEPT) * size
    for (let step = 0; step < kept; step += 1) {
      // The last round is the one that was newest.
      places.push(step < size ? at + step : at + (times - 1) * size + (step - size))
    }
    at += times * size
  }
  return withBothEnds({ places, repeats, omitted: 0 }, framesMax)
}

function withBothEnds(kept: KeptFrames, framesMax: number): KeptFrames {
  const { places, repeats } = kept
  const omitted = places.length - framesMax
  if (omitted <= 0) return kept
  const oldest = Math.floor(framesMax * OLDEST_PART)
  const moved = repeats.flatMap((repeat): readonly FrameRepeat[] => {
    const end = repeat.at + repeat.size * ROUNDS_KEPT
    if (end <= oldest) return [repeat]
    return repeat.at >= oldest + omitted ? [{ ...repeat, at: repeat.at - omitted }] : []
  })
  return { places: [...places.slice(0, oldest), ...places.slice(oldest + omitted)], repeats: moved, omitted }
}

/** The repetition of most frames that begins here. */
function repeatAt(
  keys: readonly string[],
  at: number,
): { readonly size: number; readonly times: number } | null {
  let best: { readonly size: number; readonly times: number } | null = null
  for (let size = 1; size <= SIZE_MAX; size += 1) {
    const times = timesAt(keys, at, size)
    if (times >= ROUNDS_MIN && (best === null || times * size > best.times * best.size))
      best = { size, times }
  }
  return best
}

function timesAt(keys: readonly string[], at: number, size: number): number {
  let end = at + size
  while (end < keys.length && keys[end] === keys[end - size]) end += 1
  return Math.floor((end - at) / size)
}

function frameCall(frame: unknown): string {
  if (!isObject(frame)) return ''
  const { function: name, filename, abs_path: path, module, lineno, instruction_addr: address } = frame
  return `${valueText(name)}\n${valueText(filename ?? path ?? module)}\n${valueText(lineno)}\n${valueText(address)}`
}

function valueText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : ''
}
