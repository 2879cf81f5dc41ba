/** A list that is asked for by `POST …/.search`, so that no filter stands in an address (RFC 7644, section 3.4.3). */
import { isObject } from '#base/json.ts'
import { ScimError, URN } from './values.ts'

export const SEARCH = '.search'

/** The address with what the body asks for, as a `GET` would name it. */
export function searchAddress(url: URL, body: unknown): URL {
  if (!isObject(body) || !Array.isArray(body.schemas) || !body.schemas.includes(URN.search))
    throw new ScimError(400, `A search is of the schema ${URN.search}.`, 'invalidSyntax')
  const asked = new URL(url)
  for (const name of ['filter', 'startIndex', 'count', 'attributes', 'excludedAttributes']) {
    const value = body[name]
    if (value === undefined || value === null) continue
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (!parts.every((part) => typeof part === 'string' || typeof part === 'number'))
      throw new ScimError(400, `${name} must be a text or a number.`, 'invalidValue')
    asked.searchParams.set(name, parts.join(','))
  }
  return asked
}
