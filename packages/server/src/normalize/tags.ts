/** Tags as sorted-out pairs. docs/wire.md, section "Tags". */
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { KeyValue } from './pairs.ts'
import { cutText, type EventReader, scalarText, typeName } from './reader.ts'

const TAGS = max('tagsMax')
const KEY_CHARS = max('tagKeyCharsMax')
const VALUE_CHARS = max('tagValueCharsMax')
const KEY_BAD = /[^\p{L}\p{N}_.:-]+/gu
const KEY_GOOD = /^[A-Za-z0-9_.:-]+$/

/** Tags in the order sent; a key sent twice keeps its last value, and empty values are left out. */
export function readTags(reader: EventReader, value: unknown): KeyValue[] {
  const tags = new Map<string, string>()
  readTagEntries(reader, value, (key, raw) => {
    if (--reader.visitsLeft <= 0) return false
    const name = tagKey(key)
    if (name === '' || raw === null || raw === undefined) return true
    const text = reader.textOrJson(
      typeof raw === 'string' ? inOneLine(raw) : raw,
      `tags.${name}`,
      VALUE_CHARS,
    )
    if (text === undefined || text.trim() === '') return true
    if (tags.size >= TAGS && !tags.has(name)) {
      reader.problem('tags', 'too_many')
      return false
    }
    tags.set(name, text.trim())
    return true
  })
  return [...tags]
}

/** Until `add` answers false. A call for each: what a generator makes of each costs more. */
function readTagEntries(
  reader: EventReader,
  value: unknown,
  add: (key: unknown, raw: unknown) => boolean,
): void {
  if (value === null || value === undefined) return
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) {
      if (Array.isArray(entry)) {
        if (!add(entry[0], entry[1])) return
      } else if (isObject(entry)) {
        if (!add(entry.key ?? entry.name, entry.value)) return
      } else if (entry !== null) reader.problem(`tags.${at}`, 'invalid_type', typeName(entry))
    }
  } else if (isObject(value)) {
    for (const key in value) if (!add(key, value[key])) return
  } else reader.problem('tags', 'invalid_type', typeName(value))
}

function tagKey(key: unknown): string {
  const text = scalarText(key)
  if (text !== undefined && text.length <= KEY_CHARS && KEY_GOOD.test(text)) return text // nearly every key
  return text === undefined ? '' : cutText(text.trim().replace(KEY_BAD, '-'), KEY_CHARS)
}

function inOneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.trim().replace(/[\r\n]+/g, ' ') : text.trim()
}
