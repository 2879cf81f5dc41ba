/** File names and types as clients state them, made harmless: whoever downloads the file gets them. */
import { max } from '#limits/limits.ts'

/** Control characters, and those that turn the direction of what follows or are not seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** Signs that a path, a shell or a file system reads as more than a name. */
const UNSAFE = /[<>:"|?*]/g
const UNNAMED = 'attachment'
const ENDING_CHARS_MAX = 20

/** Returns the last part of a path, without what cannot be seen. */
export function cleanName(value: unknown): string {
  if (typeof value !== 'string') return UNNAMED
  const last = value.slice(-PATH_CHARS_READ).split(/[/\\]/).at(-1) ?? ''
  const name = last.toWellFormed().normalize('NFC').replace(UNSEEN, '').replace(UNSAFE, '_')
  const plain = name.replace(/^[\s.]+|[\s.]+$/g, '')
  return plain === '' ? UNNAMED : shortenName(plain)
}

/** Longest path that is looked at whole. */
const PATH_CHARS_READ = 4_096

/** Keeps the ending, by which people and systems know what it is. */
function shortenName(name: string): string {
  const charsMax = max('attachmentNameCharsMax')
  if (name.length <= charsMax) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= ENDING_CHARS_MAX ? name.slice(dot) : ''
  return (name.slice(0, charsMax - ending.length) + ending).toWellFormed()
}

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/

/** Returns type and subtype in lower case, without parameters; `null` for what is none. */
export function cleanContentType(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > PATH_CHARS_READ) return null
  const type = value.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type.length <= max('attachmentTypeCharsMax') && MEDIA_TYPE.test(type) ? type : null
}

const WIRE_TYPE = /^[a-z][a-z0-9._-]{0,63}$/

/** Returns the wire’s type of attachment; a plain one for what is no such word. */
export function cleanType(value: unknown): string {
  return typeof value === 'string' && WIRE_TYPE.test(value) ? value : 'event.attachment'
}
