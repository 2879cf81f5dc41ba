/** The last envelope whose events are stored. */
import { type Seq, seq } from '#base/ids.ts'
import type { Tables } from '../tables.ts'

export function appliedSeq(of: Tables): Seq {
  return seq(of.number('appliedSeq') ?? 0)
}
