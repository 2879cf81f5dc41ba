/** State of reading one text. */
export interface TextSeen {
  readonly from: number
  found: number
  kinds: number
  run: number
  runs: number
  blank: number
  digits: number
  /** Start of the name before the last sign. */
  named: number
  quotes: number
  quoteAt: number
  /** Not 0: no selector of which quotes are known to be harmless. */
  noSelector: number
  /** Not 0: not clean. */
  bad: number
}

export function newText(from: number): TextSeen {
  const none = { found: 0, kinds: 0, run: 0, runs: 0, blank: 0, digits: 0 }
  return { from, ...none, named: from, quotes: 0, quoteAt: 0, noSelector: 0, bad: 0 }
}
