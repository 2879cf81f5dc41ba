/**
 * Many patterns of paths as one graph of segments: a path walks it once, at all places at which it may be at the same time,
 * and never goes back. What that takes is counted.
 */
import type { StepBudget } from '#model/step-budget.ts'
import { matchesParts, patternParts, stepsOfParts } from '#model/text-pattern.ts'
import { ANY_DEPTH, SEGMENTS_MAX } from './path-pattern.ts'

export class PathTrie {
  readonly #root = new Place(false)

  /** The later of two values of one pattern stays: values are numbers that grow. */
  add(pattern: readonly string[], value: number): void {
    if (pattern.length === 0) return
    let place = this.#root
    for (const segment of pattern) place = place.after(segment)
    place.value = value
  }

  /** The greatest value whose pattern holds the path; `null`: none does, or the budget is used up. */
  find(path: readonly string[], budget: StepBudget): number | null {
    if (path.length > SEGMENTS_MAX) return null
    let at = new Set<Place>()
    stand(at, this.#root)
    for (const segment of path) {
      const next = new Set<Place>()
      for (const place of at) if (!place.goOn(segment, { next, budget })) return null
      at = next
    }
    let found: number | null = null
    for (const { value } of at) if (value !== null && value > (found ?? -1)) found = value
    return found
  }
}

/** Behind a segment of a pattern. */
class Place {
  value: number | null = null
  /** Behind `**`, where any segment leads back to. */
  readonly #isDeep: boolean
  readonly #named = new Map<string, Place>()
  readonly #wild: { readonly pattern: string; readonly glob: SegmentGlob; readonly place: Place }[] = []
  #wildAt: Map<string, Place> | null = null
  deep: Place | null = null

  constructor(isDeep: boolean) {
    this.#isDeep = isDeep
  }

  after(segment: string): Place {
    if (segment === ANY_DEPTH) {
      this.deep ??= new Place(true)
      return this.deep
    }
    if (!/[*?]/.test(segment)) {
      const known = this.#named.get(segment) ?? new Place(false)
      this.#named.set(segment, known)
      return known
    }
    this.#wildAt ??= new Map()
    const known = this.#wildAt.get(segment)
    if (known !== undefined) return known
    const place = new Place(false)
    this.#wildAt.set(segment, place)
    this.#wild.push({ pattern: segment, glob: segmentGlob(segment), place })
    return place
  }

  /** False once the budget is used up. */
  goOn(
    segment: string,
    { next, budget }: { readonly next: Set<Place>; readonly budget: StepBudget },
  ): boolean {
    if (!budget.take(1)) return false
    if (this.#isDeep) stand(next, this)
    const named = this.#named.get(segment)
    if (named !== undefined) stand(next, named)
    for (const { glob, place } of this.#wild) {
      const holds = glob(segment, budget)
      if (budget.isSpent) return false
      if (holds) stand(next, place)
    }
    return true
  }
}

/** `**` may stand for no folder at all. */
function stand(at: Set<Place>, place: Place): void {
  at.add(place)
  if (place.deep !== null) at.add(place.deep)
}

type SegmentGlob = (text: string, budget: StepBudget) => boolean

/** `*` is any text, `?` any one sign. */
function segmentGlob(pattern: string): SegmentGlob {
  if (pattern.includes('?')) return (text, budget) => matchesSigns(pattern, text, budget)
  const parts = patternParts(pattern)
  return (text, budget) => budget.take(stepsOfParts(parts, text)) && matchesParts(parts, text)
}

const STAR = 0x2a
const ANY_SIGN = 0x3f
const STEPS_AT_ONCE = 256

/** After a `*` the shortest way on is tried first, and only the last one is gone back to: each try is a step. */
function matchesSigns(pattern: string, text: string, budget: StepBudget): boolean {
  let [at, from, steps] = [0, 0, 0]
  /** Position of the last star, and of the text it has consumed. */
  let [star, held] = [-1, 0]
  while (at < text.length) {
    if (++steps === STEPS_AT_ONCE) {
      if (!budget.take(steps)) return false
      steps = 0
    }
    const wanted = pattern.charCodeAt(from) // NaN behind its end, which no sign is
    if (wanted === STAR) [star, held] = [from++, at]
    else if (wanted === ANY_SIGN || wanted === text.charCodeAt(at)) {
      at++
      from++
    } else if (star !== -1) {
      at = ++held
      from = star + 1
    } else break
  }
  if (!budget.take(steps) || at < text.length) return false
  while (pattern.charCodeAt(from) === STAR) from++
  return from === pattern.length
}
