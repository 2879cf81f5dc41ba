/** The labelled set of `tests/fixtures/secrets`: made-up secrets in every place, and texts that only look like some. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { scrubFields } from '#testing/builders/scrubbing.ts'

const SET = new URL('../../../../tests/fixtures/secrets/', import.meta.url)
const options = { skip: existsSync(SET) ? false : 'the labelled set is not part of this checkout' }
const RECALL_MIN = 0.96
const FALSE_MAX = 0.01

const LETTERS: Readonly<Record<string, string>> = {
  h: '0123456789abcdef',
  H: '0123456789ABCDEF',
  d: '0123456789',
  a: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  u: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  U: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  l: 'abcdefghijklmnopqrstuvwxyz0123456789',
  w: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  b: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
}

/** Numbers by chance, the same in every run. */
function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function lines(name: string): string[] {
  return readFileSync(new URL(name, SET), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('# '))
}

/** `made`: where given, each stretch that stood for made-up characters. */
function fill(template: string, next: () => number, made: string[] = []): string {
  return template
    .replaceAll('^', '')
    .replace(/\[([hHdaulUwb]) (\d+)\]/g, (_, kind: string, count: string) => {
      const letters = LETTERS[kind] ?? ''
      const one = Array.from(
        { length: Number(count) },
        () => letters[Math.floor(next() * letters.length)],
      ).join('')
      made.push(one)
      return one
    })
}

/** The longest stretch of a secret that is telling by itself: what must not be found again. */
function tellingPart(secret: string, made: readonly string[] = []): string {
  const longest = made.toSorted((a, b) => b.length - a.length)[0] ?? secret
  return longest.split(/[/:.@=&$-]/).toSorted((a, b) => b.length - a.length)[0] ?? secret
}

interface Case {
  readonly label: string
  readonly secret: string
  /** Stored text of the event it stood in. */
  readonly stored: string
}

const stored = (event: Parameters<typeof scrubFields>[0]): string => JSON.stringify(scrubFields(event))
const message = (text: string): string => stored({ message: text })
const unescaped = (text: string): string => text.replaceAll('\\r', '').replaceAll('\\n', '\n')

function issuedCases(): Case[] {
  const places = lines('places.txt').map(unescaped)
  return lines('formats.txt').flatMap((line, row) => {
    const [label = '', template = ''] = line.split(' | ')
    return places.map((place, at) => {
      const made: string[] = []
      const secret = fill(template, chance(row * 1_000 + at + 1), made)
      const text = place.replace('{S}', () => secret)
      const isSource = at === 8 || at === 9
      const event = isSource ? { stacktrace: { frames: [{ context_line: text }] } } : { message: text }
      return { label: `${label} in ${place}`, secret: tellingPart(secret, made), stored: stored(event) }
    })
  })
}

function nameCases(): Case[] {
  return lines('names.txt')
    .join(' ')
    .split(/\s+/)
    .flatMap((name, row) => {
      const secret = fill('[a 20]', chance(row + 7))
      return [
        { label: `key ${name}`, secret, stored: stored({ extra: { [name]: secret } }) },
        { label: `text ${name}`, secret, stored: message(`${name}=${secret} sent`) },
        { label: `json ${name}`, secret, stored: message(`{"x":1,"${name}":"${secret}"`) },
      ]
    })
}

/** Quotes text as it stands within JSON. */
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

function placeCases(): Case[] {
  const places = lines('events.txt')
  const formats = places.filter((place) => place.includes('{S}'))
  const named = places.filter((place) => place.includes('{N}'))
  const names = lines('names.txt').join(' ').split(/\s+/)
  const issued = lines('formats.txt').map((line) => line.split(' | '))
  return [
    ...issued.flatMap(([label = '', template = ''], row) =>
      formats.map((place, at) => {
        const made: string[] = []
        const secret = fill(template, chance(row * 977 + at + 5), made)
        const text = place.replace('{S}', () => quoted(secret))
        return {
          label: `${label} in ${place}`,
          secret: tellingPart(secret, made),
          stored: stored(JSON.parse(text)),
        }
      }),
    ),
    ...names.flatMap((name, row) =>
      named.map((place, at) => {
        const secret = fill('[a 20]', chance(row * 31 + at + 3))
        const text = place.replace('{N}', () => quoted(name)).replace('{V}', secret)
        return { label: `${name} in ${place}`, secret, stored: stored(JSON.parse(text)) }
      }),
    ),
  ]
}

const FILLS: Readonly<Record<string, string>> = { P: 'tr0ub[l 5]4dor', T: '[a 28]', C: '[d 6]', H: '[h 64]' }

function filled(line: string, row: number): readonly [text: string, secret: string] {
  const kind = /\{([PTCH])\}/.exec(line)?.[1] ?? ''
  const secret = fill(FILLS[kind] ?? '', chance(row + 99))
  return [line.replace(`{${kind}}`, () => secret), secret]
}

function proseCases(): Case[] {
  return lines('prose.txt').flatMap((line, row) => {
    const [text, secret] = filled(line, row)
    return [
      { label: line, secret, stored: message(text) },
      {
        label: `exception: ${line}`,
        secret,
        stored: stored({ exception: { values: [{ type: 'Error', value: text }] } }),
      },
    ]
  })
}

function sourceCases(): Case[] {
  return lines('source.txt').map((line, row) => {
    const [text, secret] = filled(line, row)
    return {
      label: `source: ${line}`,
      secret,
      stored: stored({ stacktrace: { frames: [{ context_line: text }] } }),
    }
  })
}

function shapeCases(): Case[] {
  return lines('shapes.txt').map((line, row) => {
    const [text, secret] = filled(line, row)
    // Numbers are written out: the number itself is the secret.
    const number = /\d[\d ./_-]{12,}\d|[A-Za-z]{2}\d\d[A-Za-z\d .-]{12,}/.exec(line)?.[0]
    return {
      label: `shape: ${line}`,
      secret: secret === '' ? (number ?? '?') : secret,
      stored: stored({ extra: JSON.parse(text) }),
    }
  })
}

/** A text, and what stood between « and » in it. */
function unquoted(line: string, row: number): readonly [text: string, secrets: readonly string[]] {
  const made = fill(line, chance(row * 991 + 13))
  return [made.replaceAll(/[«»]/g, ''), [...made.matchAll(/«([^«»]*)»/g)].map(([, secret = '']) => secret)]
}

const context = (line: string): string => stored({ stacktrace: { frames: [{ context_line: line }] } })

function quotedCases(): Case[] {
  return lines('quoted.txt').flatMap((line, row) => {
    const [text, secrets] = unquoted(unescaped(line), row)
    const inSource = text.includes('`') ? context(text) : context(`    log(\`${text}\`)`)
    const event = { exception: { values: [{ type: 'Error', value: `Failed: ${text}` }] } }
    return secrets
      .map(quoted)
      .flatMap((secret) => [
        { label: line, secret, stored: message(text) },
        { label: `exception: ${line}`, secret, stored: stored(event) },
        ...(text.includes('\n') ? [] : [{ label: `source: ${line}`, secret, stored: inSource }]),
      ])
  })
}

function quotedShapeCases(): Case[] {
  return lines('quoted-shapes.txt').flatMap((line, row) => {
    const [text, secrets] = unquoted(line, row)
    const bag = stored({ extra: JSON.parse(text) })
    const said = message(`got ${text}`)
    return secrets.flatMap((secret) => [
      { label: line, secret, stored: bag },
      { label: `text: ${line}`, secret, stored: said },
    ])
  })
}

test('of secrets of every format in every place, at most one in twenty-five is found again', options, () => {
  const groups = {
    issuedCases,
    nameCases,
    proseCases,
    sourceCases,
    shapeCases,
    placeCases,
    quotedCases,
    quotedShapeCases,
  }
  for (const [name, make] of Object.entries(groups)) {
    const cases = make()
    const missed = cases.filter(({ stored, secret }) => stored.includes(secret))
    const recall = 1 - missed.length / cases.length
    assert.ok(
      recall >= RECALL_MIN,
      `${name}: ${missed.length} of ${cases.length} remained\n${missed.map(({ label }) => label).join('\n')}`,
    )
  }
})

test('of harmless texts, at most one in a hundred loses anything', options, () => {
  const texts = lines('harmless.txt')
  assert.ok(texts.length >= 400)
  const harmed = texts.filter((text) => {
    const event = scrubFields({
      message: text,
      stacktrace: { frames: [{ context_line: text }] },
      extra: { note: text },
    })
    return [event.message, event.stacktrace?.frames[0]?.context_line, event.extra?.note].some(
      (one) => one !== text,
    )
  })
  assert.ok(
    harmed.length <= texts.length * FALSE_MAX,
    `${harmed.length} of ${texts.length}:\n${harmed.join('\n')}`,
  )
})
