/** Reads the options of `npm run soak`. */
import { parseArgs } from 'node:util'

export interface SoakOptions {
  /** Hours of simulated time. */
  readonly hours: number
  /** Events a simulated second. */
  readonly rate: number
  /** Size that the data directory may take, as the product's own setting reads it. */
  readonly maxDisk: string
  readonly seed: number
  readonly noBuild: boolean
}

export const SOAK_USAGE = `npm run soak -- [options]

  --hours N       simulated hours, default 24
  --rate N        events a simulated second, default 20
  --max-disk SIZE what the data directory may take, default 300MB: so little that retention works all the time
  --seed N        of the corpus, default 1
  --no-build      takes what is built, however old`

const SIZE = /^\d+(?:\.\d+)?\s*(?:[kmgt]i?)?b?$/i

/** @throws Error with a sentence for what cannot be read. */
export function readSoakOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      hours: { type: 'string' },
      rate: { type: 'string' },
      'max-disk': { type: 'string' },
      seed: { type: 'string' },
      'no-build': { type: 'boolean' },
    },
  })
  const number = (name: 'hours' | 'rate' | 'seed', fallback: number): number => {
    const value = Number(values[name] ?? fallback)
    if (!(value > 0)) throw new Error(`--${name} takes a number above 0`)
    return value
  }
  const maxDisk = values['max-disk'] ?? '300MB'
  if (!SIZE.test(maxDisk)) throw new Error('--max-disk takes a size, such as 300MB')
  return {
    hours: number('hours', 24),
    rate: number('rate', 20),
    maxDisk,
    seed: number('seed', 1),
    noBuild: values['no-build'] === true,
  }
}
