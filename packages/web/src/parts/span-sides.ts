/** Sides of a trace's spans. Pure. */
import type { TraceSpan } from '@errata/server/queries'

/** Side in one letter: browser, server, database. */
export type Side = 'b' | 's' | 'd'

const BROWSER_OPS = /^(?:pageload|navigation|ui\.|browser|resource|paint|mark|measure)/

/** A segment says where it ran; what is below it ran there, too. */
export function sidesOf(spans: readonly TraceSpan[]): readonly Side[] {
  const above: boolean[] = []
  return spans.map(({ depth, op, segment }) => {
    above.length = depth
    const isBrowser =
      segment === null
        ? (above.at(-1) ?? BROWSER_OPS.test(op))
        : segment.requestKind === 'browser' || segment.platform === 'javascript'
    above.push(isBrowser)
    if (isBrowser) return 'b'
    return /^db\b/.test(op) ? 'd' : 's'
  })
}
