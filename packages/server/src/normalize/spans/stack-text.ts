/**
 * Stack traces as languages print them, which is all that OpenTelemetry sends of an exception, as frames. Every line is
 * looked at once; what is no frame is passed over. docs/wire.md, section "OTLP".
 */

import { byWord } from '#base/by-word.ts'

/** A frame in the spelling of the wire. */
export interface TextFrame {
  readonly function?: string
  readonly module?: string
  readonly filename?: string
  readonly abs_path?: string
  readonly lineno?: number
  readonly colno?: number
  readonly context_line?: string
}

/** An exception of a printed trace. */
export interface TextException {
  readonly type: string
  readonly value: string
  /** Oldest call first. */
  readonly frames: readonly TextFrame[]
}

const LINES_MAX = 1_000
const LINE_CHARS_MAX = 1_000
const CHAIN_MAX = 10

interface Language {
  /** The frame of a line; `next` is the line behind it. */
  readonly frame: (line: string, next: string) => TextFrame | null
  /** True where the call that failed stands last. */
  readonly isNewestLast?: true
}

type Groups = Readonly<Record<string, string | undefined>>

/** A frame made of named groups: `f` function, `m` module, `p` path, `l` line, `c` column. */
function frameOf({ f, m, p, l, c }: Groups): TextFrame {
  const base = p === undefined ? undefined : p.replace(/^.*[\\/](?=[^\\/]+$)/, '')
  return {
    ...(f === undefined || f === '' ? {} : { function: f }),
    ...(m === undefined || m === '' ? {} : { module: m }),
    ...(p === undefined || base === undefined ? {} : { abs_path: p, filename: p.includes('://') ? p : base }),
    ...(l === undefined ? {} : { lineno: Number(l) }),
    ...(c === undefined ? {} : { colno: Number(c) }),
  }
}

function byPatterns(...patterns: readonly RegExp[]): Language['frame'] {
  return (line) => {
    for (const pattern of patterns) {
      const groups = pattern.exec(line)?.groups
      if (groups !== undefined) return frameOf(groups)
    }
    return null
  }
}

const PYTHON = /^File "(?<p>[^"]{1,500})", line (?<l>\d{1,9})(?:, in (?<f>.{1,300}))?$/
const GO_PLACE = /^(?<p>\/?[^\s:]{1,500}\.\w{1,4}):(?<l>\d{1,9})(?: \+0x[0-9a-f]+)?$/
const GO_CALL = /^(?<f>[^\s(][^\s]{0,400}?)\((?:[^()]{0,400}|\.\.\.)\)$/

const LANGUAGES: Readonly<Record<string, Language>> = byWord({
  java: {
    frame: byPatterns(
      /^at (?:[\w.@-]{1,100}\/)*(?<m>[\w$.]{1,300})\.(?<f>[\w$<>-]{1,200})\((?<p>[^():]{1,200})(?::(?<l>\d{1,9}))?\)$/,
    ),
  },
  // .NET says a file where it has symbols.
  csharp: {
    frame: byPatterns(
      /^at (?<m>[^\s(]{1,300})\.(?<f>[^\s.(]{1,200})\([^)]{0,500}\)(?: in (?<p>.{1,500}?):line (?<l>\d{1,9}))?$/,
    ),
  },
  // V8, then Firefox and Safari.
  node: {
    frame: byPatterns(
      /^at (?:async )?(?<f>[^()]{1,300}?) \((?<p>[^()\s][^()]{0,500}?):(?<l>\d{1,9}):(?<c>\d{1,9})\)$/,
      /^at (?:async )?(?<p>[^()\s][^()]{0,500}?):(?<l>\d{1,9}):(?<c>\d{1,9})$/,
      /^(?<f>[^@\s]{0,300})@(?<p>[^\s]{1,500}?):(?<l>\d{1,9}):(?<c>\d{1,9})$/,
    ),
  },
  python: {
    frame(line, next) {
      const groups = PYTHON.exec(line)?.groups
      if (groups === undefined) return null
      const frame = frameOf(groups)
      return next === '' || PYTHON.test(next) ? frame : { ...frame, context_line: next }
    },
    isNewestLast: true,
  },
  // A call, and where it is on the line behind.
  go: {
    frame(line, next) {
      const [call, place] = [GO_CALL.exec(line)?.groups, GO_PLACE.exec(next)?.groups]
      if (call?.f === undefined || place === undefined) return null
      const [, module, name] = /^((?:[^\s/]*\/)*[^./]+)\.(.+)$/.exec(call.f) ?? []
      return frameOf({ ...place, f: name ?? call.f, m: module })
    },
  },
  ruby: {
    frame: byPatterns(/^(?:from )?(?<p>[^\s:][^:]{0,500}):(?<l>\d{1,9})(?::in [`'](?<f>[^`']{1,300})')?$/),
  },
  php: {
    frame: byPatterns(/^#\d{1,4} (?<p>[^(]{1,500})\((?<l>\d{1,9})\): (?<f>[^(]{1,300})\(.*$/),
  },
  elixir: {
    frame: byPatterns(
      /^(?:\([\w ]{1,60}(?: [\w.-]{1,40})?\) )?(?<p>[^\s:]{1,300}\.(?:exs?|erl)):(?<l>\d{1,9}): (?<f>.{1,300})$/,
    ),
  },
})
const SAME: Readonly<Record<string, string>> = byWord({ javascript: 'node', kotlin: 'java', scala: 'java' })

/** `Caused by: java.io.IOException: broken`, in a trace of Java; each begins the frames of one more. */
const CAUSED_BY = /^Caused by: (?<type>[\w$.]{1,300})(?:: (?<value>.*))?$/
/** Lines between two tracebacks of Python, behind the type and message of the first. */
const PYTHON_BETWEEN =
  /^(?:During handling of the above exception, another exception occurred|The above exception was the direct cause of the following exception):$/
const PYTHON_LAST_LINE = /^(?<type>[A-Za-z_][\w.]{0,200})(?:: (?<value>.*))?$/

/**
 * Returns the exceptions of a printed trace, oldest cause first; the last one is what was thrown, named by `thrown`. The
 * frames are none where the language is unknown.
 */
export function readStackText(
  text: string,
  platform: string,
  thrown: Pick<TextException, 'type' | 'value'>,
): readonly TextException[] {
  const name = SAME[platform] ?? platform
  const language = LANGUAGES[name]
  if (language === undefined) return [{ ...thrown, frames: [] }]
  const lines = text.split('\n', LINES_MAX).map((line) => line.slice(0, LINE_CHARS_MAX).trim())
  const parts = name === 'python' ? pythonParts(lines, thrown) : causeParts(lines, thrown)
  return parts.slice(0, CHAIN_MAX).map(({ type, value, lines: own }) => {
    const frames = own.flatMap((line, at) => language.frame(line, own[at + 1] ?? '') ?? [])
    return { type, value, frames: language.isNewestLast === true ? frames : frames.reverse() }
  })
}

interface Part extends Pick<TextException, 'type' | 'value'> {
  readonly lines: string[]
}

/** Reverses text in which the thrown error comes first and its causes follow. */
function causeParts(
  lines: readonly string[],
  thrown: Pick<TextException, 'type' | 'value'>,
): readonly Part[] {
  const parts: Part[] = [{ ...thrown, lines: [] }]
  for (const line of lines) {
    const cause = CAUSED_BY.exec(line)?.groups
    if (cause === undefined) parts.at(-1)?.lines.push(line)
    else parts.push({ type: cause.type ?? 'Error', value: cause.value ?? '', lines: [] })
  }
  return parts.slice(0, CHAIN_MAX).reverse()
}

/** Reads text in which the thrown error comes last. */
function pythonParts(
  lines: readonly string[],
  thrown: Pick<TextException, 'type' | 'value'>,
): readonly Part[] {
  const parts: Part[] = []
  let own: string[] = []
  for (const line of lines) {
    if (!PYTHON_BETWEEN.test(line)) {
      own.push(line)
      continue
    }
    const said = PYTHON_LAST_LINE.exec(own.findLast((one) => one !== '') ?? '')?.groups
    parts.push({ type: said?.type ?? 'Error', value: said?.value ?? '', lines: own })
    own = []
  }
  return [...parts.slice(1 - CHAIN_MAX), { ...thrown, lines: own }]
}
