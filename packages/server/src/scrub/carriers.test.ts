/**
 * The labelled set of secrets in their carriers: settings, commands, dialogs, logs, source and addresses of many tools,
 * each in the place of an event that it comes in. A line says its kind, that place, and the text; «…» is the secret.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { NormalizedEvent } from '#model/event.ts'
import { normalizeEvent } from '#normalize/normalize.ts'
import { DEFAULTS } from '#testing/builders/scrubbing.ts'
import { createScrubber, scrubEvent } from './scrub.ts'

const SET = new URL('../../../../tests/fixtures/secrets/', import.meta.url)
const options = { skip: existsSync(SET) ? false : 'the labelled set is not part of this checkout' }
const RECALL_MIN = 0.99
const FALSE_MAX = 0.01
const SCRUBBER = createScrubber(DEFAULTS)

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const LETTERS: Readonly<Record<string, string>> = {
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  d: DIGITS,
  a: UPPER + LOWER + DIGITS,
  u: `${UPPER}234567`,
  U: UPPER + DIGITS,
  l: LOWER + DIGITS,
  w: `${UPPER + LOWER + DIGITS}-_`,
  b: `${UPPER + LOWER + DIGITS}+/`,
}

/** Characters by chance, the same in every run. */
function filled(template: string, seed: number): string {
  let state = seed >>> 0
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return template.replace(/\[([hHdaulUwb]) (\d+)\]/g, (_, kind: string, count: string) => {
    const letters = LETTERS[kind] ?? ''
    return Array.from({ length: Number(count) }, () => letters[Math.floor(next() * letters.length)]).join('')
  })
}

const unescaped = (text: string): string =>
  text.replaceAll('\\r', '\r').replaceAll('\\n', '\n').replaceAll('\\t', '\t')

const PLACES: Readonly<Record<string, (text: string) => object>> = {
  m: (text) => ({ message: unescaped(text) }),
  e: (text) => ({ exception: { values: [{ type: 'Error', value: unescaped(text) }] } }),
  b: (text) => ({ breadcrumbs: { values: [{ message: unescaped(text), category: 'log' }] } }),
  d: (text) => ({ breadcrumbs: { values: [{ category: 'http', data: JSON.parse(text) }] } }),
  x: (text) => ({ extra: JSON.parse(text) }),
  t: (text) => ({ tags: JSON.parse(text) }),
  q: (text) => ({ request: JSON.parse(text) }),
  v: (text) => withFrame({ vars: JSON.parse(text) }),
  c: (text) => withFrame({ context_line: text, pre_context: ['x'], post_context: ['y'] }),
  l: (text) => {
    const [message = '', ...params] = unescaped(text).split('|')
    return { logentry: { message, params } }
  },
  j: (text) => JSON.parse(text),
}

function withFrame(fields: object): object {
  const frame = { function: 'f', filename: 'a.py', lineno: 3, in_app: true, ...fields }
  return { exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames: [frame] } }] } }
}

/** An event as it is before it is scrubbed, and after. */
function scrubbedIn(place: string, text: string): readonly [before: NormalizedEvent, after: NormalizedEvent] {
  const answer = normalizeEvent(PLACES[place]?.(text), {
    eventId: '9ec79c33ec9942ab8353589fcb2e04dc',
    receivedMs: 1_768_384_800_000,
    sentAt: null,
    clientAddress: null,
    userAgent: null,
    sdk: null,
    client: null,
  })
  assert.ok(answer.ok, text)
  const { scrubbedPaths: _, ...after } = scrubEvent(answer.event, SCRUBBER, { clientAddress: null })
  return [answer.event, after]
}

function lines(name: string): string[] {
  return readFileSync(new URL(name, SET), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
}

/** Returns the text that must not be found again: the secret, or the longest part of one that chance made. */
function tellingPart(secret: string, template: string): string {
  if (!/\[[hHdaulUwb] \d+\]/.test(template)) return secret
  const longest = secret.split(/[/:.@=&$\-_+~|% ]/).toSorted((a, b) => b.length - a.length)[0] ?? ''
  return longest.length >= 4 ? longest : secret
}

const SECRET = /«([^«»]*)»?/g
const secretsIn = (text: string): string[] => [...text.matchAll(SECRET)].map(([, secret = '']) => secret)
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

test(
  'of secrets in the settings, commands, dialogs, logs and source of many tools, one in a hundred remains',
  options,
  () => {
    const all = lines('carriers.txt')
    const missed = all.filter((line, row) => {
      const [, place = '', ...rest] = line.split(' | ')
      const template = rest.join(' | ')
      const text = filled(template, row * 991 + 13)
      const templates = secretsIn(template)
      const stored = JSON.stringify(scrubbedIn(place, text.replace(/[«»]/g, ''))[1])
      return secretsIn(text)
        .map((secret, at) => tellingPart(secret, templates[at] ?? ''))
        .some((secret) => stored.includes(secret) || stored.includes(quoted(secret)))
    })
    assert.ok(all.length >= 1_000)
    assert.ok(
      missed.length <= all.length * (1 - RECALL_MIN),
      `${missed.length} of ${all.length} remained:\n${missed.join('\n')}`,
    )
  },
)

test('of texts that speak of secrets and hold none, one in a hundred loses anything', options, () => {
  const all = lines('harmless-carriers.txt')
  const harmed = all.filter((line) => {
    const [place = '', ...rest] = line.split(' | ')
    const [before, after] = scrubbedIn(place, rest.join(' | '))
    return JSON.stringify(before) !== JSON.stringify(after)
  })
  assert.ok(all.length >= 500)
  assert.ok(
    harmed.length <= all.length * FALSE_MAX,
    `${harmed.length} of ${all.length}:\n${harmed.join('\n')}`,
  )
})
