/** Frame of a stack: where it is and the source lines around it. Pure. */
import type { StoredEvent } from './issue-types.ts'

export type ExceptionValue = NonNullable<StoredEvent['exception']>['values'][number]
export type Stacktrace = NonNullable<ExceptionValue['stacktrace']>
export type StackFrame = Stacktrace['frames'][number]
export type FrameRepeat = NonNullable<Stacktrace['frames_repeated']>[number]

/** Returns a frame's place: `app/orders/totals.tsx`, `:41:30`. */
export function framePlace(frame: StackFrame): { readonly file: string; readonly position: string } {
  const file =
    frame.filename ??
    frame.abs_path ??
    frame.module ??
    frame.package ??
    frame.instruction_addr ??
    'unknown place'
  const line = frame.lineno === undefined || frame.lineno < 0 ? '' : `:${frame.lineno}`
  const column = line === '' || frame.colno === undefined ? '' : `:${frame.colno}`
  return { file, position: line + column }
}

const LINES_BEFORE = 5
const LINES_AFTER = 5

/** The marked line with what is around it, five either side. Empty without source. */
export function sourceLines(
  frame: StackFrame,
): readonly { readonly number: number | null; readonly text: string; readonly marked: boolean }[] {
  if (frame.context_line === undefined) return []
  const before = (frame.pre_context ?? []).slice(-LINES_BEFORE)
  const after = (frame.post_context ?? []).slice(0, LINES_AFTER)
  const at = frame.lineno
  const line = (text: string, offset: number) => ({
    number: at === undefined ? null : at + offset,
    text,
    marked: offset === 0,
  })
  return [
    ...before.map((text, index) => line(text, index - before.length)),
    line(frame.context_line, 0),
    ...after.map((text, index) => line(text, index + 1)),
  ]
}

/** Longer than people write lines, by what SDKs send whole. */
const WRITTEN_CHARS_MAX = 150

/** A line that a bundler wrote and no source map has made readable. */
export function isMinified({ context_line: line = '', filename, abs_path: path, data }: StackFrame): boolean {
  if (data?.sourcemap !== undefined || data?.symbolicated === true) return false
  if (!/\.[cm]?js(?:$|[?#])/.test(path ?? filename ?? '')) return false
  return line.length > WRITTEN_CHARS_MAX || line.includes('{snip}')
}

const JAVASCRIPT: readonly string[] = ['javascript', 'node', 'bun', 'deno']

export function isJavaScript(frame: StackFrame, platform: string): boolean {
  return JAVASCRIPT.includes(frame.platform ?? platform)
}
