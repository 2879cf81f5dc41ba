/** Failures in a few words, for tests of what makes two of them one issue. */
import type { ExceptionValue, Frame, ScrubbedEvent } from '#model/event.ts'
import { aScrubbedEvent } from './scrubbed-event.ts'

export interface Failure {
  readonly platform?: string
  readonly type?: string
  readonly value?: string
  /** `function@file`, or `function@file:line`, newest first; `-` before one is a library's. */
  readonly stack?: readonly string[]
  readonly causes?: readonly Failure[]
}

function aFrame(text: string): Frame {
  const [, library = '', name = '', file = '', line = ''] = /^(-?)([^@]*)@(.*?)(?::(\d+))?$/.exec(text) ?? []
  return {
    ...(name === '' ? {} : { function: name }),
    ...(file === '' ? {} : { filename: file, abs_path: file }),
    ...(line === '' ? {} : { lineno: Number(line) }),
    in_app: library === '',
  }
}

function anException({ type = 'Error', value = '', stack }: Failure): ExceptionValue {
  return {
    ...{ type, value },
    ...(stack === undefined ? {} : { stacktrace: { frames: stack.map(aFrame).reverse() } }),
  }
}

/** An event of platform `javascript`, unless the failure says otherwise. */
export function aFailure(failure: Failure): ScrubbedEvent {
  const { platform = 'javascript', causes = [] } = failure
  const values = [...causes.map(anException).reverse(), anException(failure)]
  return aScrubbedEvent({ platform, exception: { values } })
}

/** Returns a failure as two events tell it, each with its own. */
export const varied = (all: Failure, one: Failure, other: Failure): readonly [Failure, Failure] => [
  { ...all, ...one },
  { ...all, ...other },
]
