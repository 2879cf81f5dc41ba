/** Randomness that repeats: the same seed and number give the same sequence on every machine. */

export interface Dice {
  /** Returns a number in [0, 1). */
  next(): number
  /** Whole, from 0 to `below` - 1. */
  below(below: number): number
  /** Returns one item of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T
  /** Lower-case hex characters. */
  hex(chars: number): string
}

/** Dice for event `number` of a corpus: independent of what was thrown for its neighbours. */
export function diceOf(seed: number, number: number): Dice {
  const next = sfc32(mix(seed, 0x9e37), mix(number, 0x85eb), mix(seed ^ number, 0xc2b2))
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick(list) {
      const chosen = list[below(list.length)]
      if (chosen === undefined) throw new Error('nothing to pick from')
      return chosen
    },
    hex(chars) {
      let text = ''
      while (text.length < chars) text += below(0x1_0000_0000).toString(16).padStart(8, '0')
      return text.slice(0, chars)
    },
  }
}

/** Small Fast Counter, 32 bit: public domain, passes PractRand. */
function sfc32(first: number, second: number, third: number): () => number {
  let [a, b, c, counter] = [first, second, third, 1]
  const step = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 0x1_0000_0000
  }
  for (let round = 0; round < 12; round++) step()
  return step
}

/** Finaliser of murmur3: neighbours in, strangers out. */
export function mix(value: number, salt: number): number {
  let hash = (value ^ Math.imul(salt, 0x9e3779b1)) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) | 0
}
