/** Headers of files that are saved and never shown: names by RFC 6266, parts by RFC 9110. */
import type { ByteRange } from '#ports/blobs.ts'

/** Returns a Content-Disposition by which a browser saves the file under its name. */
export function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const header = `attachment; filename="${plain}"`
  return plain === name ? header : `${header}; filename*=UTF-8''${encodeExtended(name)}`
}

/** All but what RFC 8187 lets stand as it is. */
function encodeExtended(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export function setLength(headers: Headers, bytes: number | undefined, range: ByteRange | undefined): void {
  if (bytes === undefined) return
  headers.set('accept-ranges', 'bytes')
  headers.set('content-length', String(range === undefined ? bytes : range.end - range.start))
  if (range !== undefined) headers.set('content-range', `bytes ${range.start}-${range.end - 1}/${bytes}`)
}

/**
 * Reads a Range header: one range of a file of `bytes` bytes. `null`: the whole file, as for what is no single range.
 * `unsatisfiable`: it begins behind the end.
 */
export function readByteRange(header: string | null, bytes: number): ByteRange | null | 'unsatisfiable' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const last = Math.min(Number(to), bytes)
    return last === 0 ? 'unsatisfiable' : { start: bytes - last, end: bytes }
  }
  const start = Number(from)
  if (start >= bytes) return 'unsatisfiable'
  const end = to === '' ? bytes : Math.min(Number(to) + 1, bytes)
  return end <= start ? null : { start, end }
}
