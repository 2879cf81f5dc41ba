/**
 * Bodies that people write: JSON whose texts hold `{{paths}}` into the message. The template is read as JSON first, so
 * that no value can change its shape; a text that is one path alone becomes the value itself, number or object.
 */
import { isObject, type Json, type JsonObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'

export type Rendered =
  | { readonly ok: true; readonly body: Json }
  /** `rule`: a sentence for the field. */
  | { readonly ok: false; readonly rule: string }

const PATH = /\{\{\s*([\w.]{1,100})\s*\}\}/g
const PATH_ALONE = /^\{\{\s*([\w.]{1,100})\s*\}\}$/
const DEPTH_MAX = 20

/** Fills a JSON template with values. Paths that lead nowhere become `null`, or nothing within a text. */
export function renderTemplate(template: string, values: Json): Rendered {
  const most = max('channelTemplateCharsMax')
  if (template.length > most)
    return { ok: false, rule: `At most ${most.toLocaleString('en-US')} characters.` }
  let parsed: Json
  try {
    parsed = JSON.parse(template)
  } catch (cause) {
    return { ok: false, rule: `This isn’t JSON: ${cause instanceof Error ? cause.message : 'unreadable'}.` }
  }
  if (!isObject(parsed)) return { ok: false, rule: 'A JSON object, in braces.' }
  const unknown = [...template.matchAll(PATH)].find(
    ([, path = '']) => valueAtPath(values, path) === undefined,
  )
  if (unknown !== undefined) return { ok: false, rule: `There is no field “${unknown[1]}”.` }
  return { ok: true, body: fillTemplate(parsed, values, 0) }
}

function fillTemplate(part: Json, values: Json, depth: number): Json {
  if (depth > DEPTH_MAX) return null
  if (typeof part === 'string') return filledText(part, values)
  if (Array.isArray(part)) return part.map((item: Json) => fillTemplate(item, values, depth + 1))
  if (!isJsonObject(part)) return part
  const entries = Object.entries(part)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, fillTemplate(value ?? null, values, depth + 1)]),
  )
}

function isJsonObject(part: Json): part is JsonObject {
  return isObject(part)
}

function filledText(text: string, values: Json): Json {
  const alone = PATH_ALONE.exec(text)?.[1]
  if (alone !== undefined) return valueAtPath(values, alone) ?? null
  return text.replace(PATH, (_, path: string) => {
    const value = valueAtPath(values, path)
    if (value === undefined || value === null) return ''
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
}

/** `undefined`: no message has it. */
function valueAtPath(values: Json, path: string): Json | undefined {
  let at: Json | undefined = values
  for (const name of path.split('.')) {
    if (at === null) return null
    if (at === undefined || !isJsonObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}
