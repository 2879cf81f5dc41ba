/** Parts of a constant that bounds something. */
export interface Limit {
  readonly value: number
  readonly unit: 'bytes' | 'ms' | 'count' | 'chars' | 'levels' | 'days' | 'percent' | 'MB'
  readonly reason: string
}

export const limit = (value: number, unit: Limit['unit'], reason: string): Limit => ({ value, unit, reason })

export const KIB = 1024
export const MIB = 1024 * KIB
