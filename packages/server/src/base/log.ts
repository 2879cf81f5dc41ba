export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Structured log: one line of JSON an entry, to standard error. Never event text, never a secret. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

const ORDER: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

export interface LogOptions {
  readonly level: LogLevel
  readonly thread: string
  readonly write?: (line: string) => void
}

export function createLog({ level, thread, write = writeStderr }: LogOptions): Log {
  const entry = (at: LogLevel) => (message: string, fields?: LogFields) => {
    if (ORDER[at] < ORDER[level]) return
    write(`${JSON.stringify({ at: new Date().toISOString(), level: at, thread, message, ...fields })}\n`)
  }
  return { debug: entry('debug'), info: entry('info'), warn: entry('warn'), error: entry('error') }
}

/** A log that says nothing, for tests that do not look at it. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

function writeStderr(line: string): void {
  process.stderr.write(line)
}
