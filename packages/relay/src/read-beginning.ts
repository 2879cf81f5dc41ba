/**
 * Reads as much of an envelope as it takes to decide: its first line, and on to `keptBytesMax`, below which an envelope
 * can wait in memory when Errata is down. What is larger streams on.
 */
import type { Dsn } from '@errata/protocol'
import type { BodySource } from './body-source.ts'
import { namedDsn } from './decide.ts'
import { inflatedFirstLine } from './first-line.ts'
import type { RelayRefusal } from './refusals.ts'

export interface Beginning {
  /** The configured DSN that the envelope names. */
  readonly dsn: Dsn
  readonly bytes: Uint8Array<ArrayBuffer>
  /** `false`: there is more to read. */
  readonly isWhole: boolean
}

export interface BeginningBounds {
  readonly bodyBytesMax: number
  readonly lineBytesMax: number
  readonly keptBytesMax: number
  /** Content coding of the body, in lower case; `null` for none. */
  readonly encoding: string | null
  /** The configured DSN for one that an envelope names. */
  readonly allow: (named: Dsn) => Dsn | null
}

const NEWLINE = 0x0a

export async function readBeginning(
  source: BodySource,
  bounds: BeginningBounds,
): Promise<Beginning | RelayRefusal> {
  const chunks: Uint8Array[] = []
  let size = 0
  let dsn: Dsn | RelayRefusal | null = null
  let isWhole = false
  while (!isWhole && size < bounds.keptBytesMax) {
    const chunk = await source.next()
    isWhole = chunk === null
    if (chunk === null) break
    const lineEnd = bounds.encoding === null && dsn === null ? chunk.indexOf(NEWLINE) : -1
    const lineBytes = lineEnd === -1 ? size + chunk.length : size + lineEnd
    chunks.push(chunk)
    size += chunk.length
    if (size > bounds.bodyBytesMax) return 'too_large'
    if (bounds.encoding !== null || dsn !== null) continue
    if (lineBytes > bounds.lineBytesMax) return 'too_large'
    if (lineEnd === -1) continue
    dsn = decideByLine(joinChunks(chunks, size).subarray(0, lineBytes), bounds)
    if (typeof dsn === 'string') return dsn
  }
  const bytes = joinChunks(chunks, size)
  dsn ??=
    bounds.encoding === null
      ? decideByLine(bytes, bounds)
      : await inflateBeginning({ bytes, isWhole }, bounds)
  return typeof dsn === 'string' ? dsn : { dsn, bytes, isWhole }
}

function decideByLine(line: Uint8Array, { allow }: BeginningBounds): Dsn | RelayRefusal {
  const named = namedDsn(line)
  return typeof named === 'string' ? named : (allow(named) ?? 'not_allowed')
}

async function inflateBeginning(
  { bytes, isWhole }: Pick<Beginning, 'bytes' | 'isWhole'>,
  bounds: BeginningBounds,
): Promise<Dsn | RelayRefusal> {
  if (bytes.length === 0) return 'empty'
  const { encoding, lineBytesMax } = bounds
  const line = await inflatedFirstLine(bytes, { encoding: encoding ?? '', lineBytesMax, isWhole })
  if (typeof line === 'string') return line === 'too_large' ? line : 'encoding'
  return decideByLine(line, bounds)
}

/** A copy: a server's chunk may be a few bytes of a large buffer, and an envelope may wait long. */
function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
