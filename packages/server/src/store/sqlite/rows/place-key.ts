/** Key of a row whose place nobody reads: a number instead of a text of any length. */
import { hash } from 'node:crypto'

const BYTES = 6

/** 48 bits of a place's name, never 0, which stands for none. */
export function hashPlace(place: string): number {
  return hash('sha256', place, 'buffer').readUIntBE(0, BYTES) || 1
}
