/**
 * Types under which files that anybody sent are given out. None of them runs anything in a browser: markup, scripts and
 * drawings with scripts go out as plain bytes, whatever they call themselves.
 */
interface Served {
  readonly type: string
  readonly isPicture: boolean
}

const BYTES: Served = { type: 'application/octet-stream', isPicture: false }

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

const OTHERS: ReadonlySet<string> = new Set([
  ...['text/plain', 'text/csv', 'application/json', 'application/x-ndjson'],
  ...['application/zip', 'application/gzip', 'application/zstd', 'application/pdf'],
  ...['video/mp4', 'video/webm', 'audio/mpeg', 'audio/ogg', 'image/bmp', 'image/heic', 'image/avif'],
])

/** Other spellings of a media type, as SDKs and systems write them. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['application/x-zip-compressed', 'application/zip'],
  ['application/x-gzip', 'application/gzip'],
  ['text/json', 'application/json'],
])

const BY_ENDING: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['txt', 'text/plain'],
  ['log', 'text/plain'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['ndjson', 'application/x-ndjson'],
  ['zip', 'application/zip'],
  ['gz', 'application/gzip'],
])

/** A type that the client states wins over the name’s ending. */
export function servedType({
  name,
  contentType,
}: {
  readonly name: string
  readonly contentType: string | null
}): Served {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const stated = contentType ?? BY_ENDING.get(ending) ?? ''
  const type = SPELLINGS.get(stated) ?? stated
  if (PICTURES.has(type)) return { type, isPicture: true }
  return OTHERS.has(type) ? { type, isPicture: false } : BYTES
}
