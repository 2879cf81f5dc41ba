/**
 * Which groups have a value of a tag: a full-text index whose words are whole values and whose documents are groups. A
 * value that many groups share costs each of them a byte or two, where a row of an index would repeat the value. The
 * index folds ASCII and knows nothing but words, so that values are written in letters of their own; it keeps no texts,
 * and what is taken from it has to be named word by word.
 */
import type { Connection } from '../connection.ts'
import { facetsOf } from '../rows/facets-of.ts'

/** Signs that the index would fold, that it breaks words at, and the sign that stands before those. */
const ESCAPED = /[A-Z~]|\p{Cc}/gu
/** Control characters stand as signs that are none. */
const CONTROL_SIGNS = 0x2080

/** Texts that begin alike make words that begin alike. */
function facetWord(keyId: number, value: string): string {
  return `${keyId}:${value.replaceAll(ESCAPED, escapeSign)}`
}

function escapeSign(sign: string): string {
  const isShown = sign >= 'A' && sign <= '~'
  return `~${isShown ? sign.toLowerCase() : String.fromCharCode(CONTROL_SIGNS + sign.charCodeAt(0))}`
}

/** Returns the MATCH text for groups that have the value. */
export function valueMatch(keyId: number, value: string): string {
  return `"${facetWord(keyId, value).replaceAll('"', '""')}"`
}

/** Returns the MATCH text for values that begin so; `''` finds every group that has the key. */
export function prefixMatch(keyId: number, start: string): string {
  return `${valueMatch(keyId, start)} *`
}

const ADD = 'INSERT INTO facet_words (rowid, words) VALUES (?, ?)'
const TAKE = `INSERT INTO facet_words (facet_words, rowid, words) VALUES ('delete', ?, ?)`

/**
 * Words of a batch wait here and are written together at its end, in the order of their groups, a statement each: see
 * `IssueTexts`.
 */
export class FacetWords {
  readonly #db: Connection
  readonly #added = new Map<number, string[]>()

  constructor(db: Connection) {
    this.#db = db
  }

  /** A value that the group did not have before. */
  add(groupId: number, keyId: number, value: string): void {
    const words = this.#added.get(groupId)
    if (words === undefined) this.#added.set(groupId, [facetWord(keyId, value)])
    else words.push(facetWord(keyId, value))
  }

  write(): void {
    const added = [...this.#added].sort(([a], [b]) => a - b)
    this.#db.runEach(
      ADD,
      added.map(([groupId, words]) => [groupId, words.join('\n')]),
    )
  }
}

/** Which groups, as their ids are asked for. */
interface Groups {
  /** A condition over `groups g` with one parameter. */
  readonly where: 'g.id = ?' | 'g.issue_id = ?' | 'g.project_id = ?'
  readonly param: number
}

/** Takes out what the groups' facets say: before those go. */
export function forgetWords(db: Connection, groups: Groups): void {
  for (const [groupId, words] of eachFacetWord(db, groups)) db.run(TAKE, [groupId, words])
}

/** Adds the values of the groups' tags to the full-text index, which has none of them yet. */
export function rememberWords(db: Connection, groups: Groups): void {
  for (const [groupId, words] of eachFacetWord(db, groups)) db.run(ADD, [groupId, words])
}

const GROUPS_AT_ONCE = 500

/** A few groups at a time: a project may have millions of values. */
function* eachFacetWord(db: Connection, { where, param }: Groups): Generator<readonly [number, string]> {
  const next = `SELECT g.id FROM groups g WHERE ${where} AND g.id > ? ORDER BY g.id LIMIT ?`
  const values = `SELECT f.group_id AS groupId, f.key_id AS keyId, f.value
    FROM ${facetsOf('g.id IN (SELECT value FROM json_each(:ids))')} f`
  for (let after = 0; ; ) {
    const ids = db.all<{ id: number }>(next, [param, after, GROUPS_AT_ONCE]).map(({ id }) => id)
    const words = new Map<number, string[]>(ids.map((id) => [id, []]))
    type Row = { readonly groupId: number; readonly keyId: number; readonly value: string }
    for (const { groupId, keyId, value } of db.all<Row>(values, { ids: JSON.stringify(ids) }))
      words.get(groupId)?.push(facetWord(keyId, value))
    for (const [id, own] of words) if (own.length > 0) yield [id, own.join('\n')]
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}
