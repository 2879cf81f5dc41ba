/** Source lines of a frame, as one text in three parts: a private key may begin in one line and end in another. */

import { mapped } from '#base/mapped.ts'
import type { Frame } from '#model/event.ts'
import { FILTERED } from './filtered.ts'
import { opensPrivateKey, privateKeyEnd } from './patterns.ts'
import type { ScrubWalk } from './walk.ts'

const COMMENT = /^[ \t]{0,80}(?:\/\/|\/?\*|#(?!\w*(?:define|include|if|endif))|--\s|;;|<!--)/

export type FrameLines = Pick<Frame, 'pre_context' | 'context_line' | 'post_context'>

/** The scrubbed lines in their own order, or `null` when they hold no secret. */
export function scrubLines(walk: ScrubWalk, frame: Frame): FrameLines | null {
  const reader = new LineReader(walk)
  // In this order: a key may begin in one part and end in the next.
  const before = frame.pre_context && reader.lines('pre_context', frame.pre_context)
  const line = frame.context_line === undefined ? undefined : reader.line('context_line', frame.context_line)
  const after = frame.post_context && reader.lines('post_context', frame.post_context)
  if (!reader.isChanged) return null
  return {
    ...(before === undefined ? {} : { pre_context: before }),
    ...(line === undefined ? {} : { context_line: line }),
    ...(after === undefined ? {} : { post_context: after }),
  }
}

class LineReader {
  readonly #walk: ScrubWalk
  /** True once a line came out other than it went in. */
  isChanged = false
  #inKey = false

  constructor(walk: ScrubWalk) {
    this.#walk = walk
  }

  lines(key: string, lines: readonly string[]): readonly string[] {
    this.#walk.enter(key)
    const scrubbed = mapped(lines, (line, at) => this.line(at, line))
    this.#walk.leave()
    return scrubbed
  }

  line(key: string | number, line: string): string {
    this.#walk.enter(key)
    const scrubbed = this.#inKey ? this.#keyLine(line) : this.#codeLine(line)
    this.#walk.leave()
    if (scrubbed !== line) this.isChanged = true
    return scrubbed
  }

  #codeLine(line: string): string {
    if (line.length > 20 && line.includes('-----BEGIN')) this.#inKey = opensPrivateKey(line)
    // What people write in comments is text.
    return this.#walk.repeated(line, () => this.#walk.text(line, COMMENT.test(line) ? 'text' : 'source'))
  }

  #keyLine(line: string): string {
    const end = privateKeyEnd(line)
    this.#inKey = end === -1
    if (line === FILTERED || line.trim() === '') return line
    this.#walk.note('private_key')
    return FILTERED + (end === -1 ? '' : this.#walk.text(line.slice(end), 'source'))
  }
}
