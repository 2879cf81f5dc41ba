/** Secrets planted in every kind of place of an event: they go, and a scan of its bytes changes nothing of what comes out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalizeEvent } from '#normalize/normalize.ts'
import { CleanParts, moduleScan, plainScan } from '#scrub/scan/clean-parts.ts'
import { createScrubber, type Scrubber, scrubEvent } from '#scrub/scrub.ts'
import { DEFAULTS } from '#testing/builders/scrubbing.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'

const CONTEXT = {
  ...{
    eventId: '9ec79c33ec9942ab8353589fcb2e04dc',
    receivedMs: 1_795_000_000_000,
    sentAt: null,
    sdk: undefined,
  },
  ...{ clientAddress: null, userAgent: null, client: null },
}
const NAMES = [
  ...['password', 'user_passwd', 'clientSecret', 'X-Auth-Token', 'smtpPass', 'private-key', 'refreshToken'],
  ...['aws_secret_access_key', 'csrf_token', 'webhook_secret', 'signing_key', 'passphrase', 'apiKeyV2'],
]
/** A project's own key, in names of no other meaning. */
const OWN = { key: 'shade', names: ['lampShade', 'shade', 'SHADE_OF_IT'] }

const escaped = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** JSON of an event that holds the value under, beside or behind the name; neither needs escapes. */
const PLACES: readonly ((name: string, value: string) => string)[] = [
  // A key, in each bag.
  (name, value) => `{"extra":{"${name}":"${value}"}}`,
  (name, value) => `{"extra":{"deep":{"list":[{"note":"x","${name}":"${value}"}]}}}`,
  (name, value) => `{"breadcrumbs":[{"message":"saved"},{"data":{"${name}":"${value}"}}]}`,
  (name, value) => `{"contexts":{"os":{"name":"x"},"app":{"type":"app","${name}":"${value}"}}}`,
  (name, value) => `{"tags":{"${name}":"${value}"}}`,
  (name, value) => `{"user":{"id":"1","data":{"${name}":"${value}"}}}`,
  (name, value) =>
    `{"exception":[{"type":"E","value":"x","stacktrace":{"frames":[{"function":"f","vars":{"${name}":"${value}"}}]}}]}`,
  // A name in a value.
  (name, value) => `{"extra":{"field":{"name":"${name}","value":"${value}"}}}`,
  (name, value) => `{"contexts":{"app":{"fields":[{"key":"${name}","val":"${value}"}]}}}`,
  (name, value) => `{"breadcrumbs":[{"data":{"form":{"header":"${name}","content":"${value}"}}}]}`,
  // A pair, and a neighbour in a list.
  (name, value) => `{"extra":{"list":[["${name}","${value}"],["x","y"]]}}`,
  (name, value) => `{"request":{"url":"https://shop.example/","headers":[["${name}","${value}"]]}}`,
  (name, value) => `{"breadcrumbs":[{"data":{"headers":["${name}","${value}"]}}]}`,
  (name, value) => `{"extra":{"rawHeaders":["Host","x","${name}","${value}","Accept","*/*"]}}`,
  (name, value) =>
    `{"breadcrumbs":[{"category":"console","message":"said","data":{"arguments":["${name}:","${value}"]}}]}`,
  (name, value) => `{"extra":{"argv":["node","x.js","--${name}","${value}","--port","80"]}}`,
  // Escapes, of a key and of a text.
  (name, value) => `{"extra":{"${escaped(name)}":"${value}"}}`,
  (name, value) => `{"breadcrumbs":[{"data":{"${escaped(name)}":"${value}"}}]}`,
  (name, value) => `{"message":"it said ${escaped(name)}=${value}"}`,
  // A key that is named twice: each of them may be the one that counts.
  (name, value) => `{"extra":{"note":"a"},"extra":{"note":"b","${name}":"${value}"}}`,
  (name, value) => `{"extra":{"${name}":"x","note":"b","${name}":"${value}"}}`,
  (name, value) => `{"breadcrumbs":[{"data":{"note":"a"},"data":{"${name}":"${value}"}}]}`,
  (name, value) => `{"breadcrumbs":[{"message":"saved","message":"${name}=${value}"}]}`,
  (name, value) => `{"contexts":{"app":{"note":"a"},"app":{"note":"b","${name}":"${value}"}}}`,
  // A text, alone, on a later line, in an address, and as JSON within JSON.
  (name, value) => `{"exception":[{"type":"E","value":"it failed with ${name}=${value}"}]}`,
  (name, value) => `{"exception":[{"type":"E","value":"first\\n\\n  ${name} = '${value}'\\n"}]}`,
  (name, value) => `{"breadcrumbs":[{"message":"first line\\nsecond line\\n${name}: ${value}"}]}`,
  (name, value) => `{"request":{"url":"https://shop.example/x?y=1&${name}=${value}"}}`,
  (name, value) => `{"breadcrumbs":[{"category":"fetch","data":{"url":"/x?y=1&${name}=${value}"}}]}`,
  (name, value) => `{"extra":{"body":"{\\"a\\":1,\\"${name}\\":\\"${value}\\"}"}}`,
]

const scans = [new CleanParts(moduleScan), new CleanParts(plainScan)]
const scrubber = createScrubber(DEFAULTS)
const ownScrubber = createScrubber({ ...DEFAULTS, extraKeys: [OWN.key] })

function read(json: string, by: Scrubber, scan: CleanParts | null): string {
  const bytes = Buffer.from(json)
  const verdicts = scan?.of(bytes, by.keys) ?? null
  const clean = verdicts === null ? undefined : { ...verdicts, json: bytes, objects: new Set<object>() }
  const normalized = normalizeEvent(JSON.parse(json), { ...CONTEXT, clean })
  assert.ok(normalized.ok)
  return JSON.stringify(scrubEvent(normalized.event, by, { clientAddress: null, clean }))
}

/** Letters of both cases and digits, as keys are issued. */
const secrets = fc
  .array(fc.constantFrom(...'bcdfghjkmnpqrstvwxzBCDFGHJKMNPQRSTVWXZ'), { minLength: 5, maxLength: 9 })
  .map((letters) => letters.map((letter, at) => `${letter}${(at * 7 + 3) % 10}`).join(''))

function holds(json: string, by: Scrubber, value: string): void {
  const walked = read(json, by, null)
  assert.ok(!walked.includes(value), `${value} stays of ${json}: ${walked}`)
  // Twice: names that a scan met are known the next time.
  for (const scan of [...scans, ...scans]) assert.equal(read(json, by, scan), walked, json)
}

test('secrets go from wherever they stand, and a scan of the bytes calls none of them clean', () => {
  for (const place of PLACES)
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), secrets, (name, value) =>
        holds(place(name, value), scrubber, value),
      ),
      { numRuns: Math.ceil(PROPERTY_RUNS / 4) },
    )
})

test('so do those that a project names, which stay where it names none', () => {
  for (const place of PLACES)
    for (const name of OWN.names) {
      // Its scan has just called the very same bytes clean for a project without such a key.
      const json = place(name, 'a shade of red')
      for (const scan of [...scans, ...scans])
        assert.equal(read(json, scrubber, scan), read(json, scrubber, null), json)
      holds(place(name, 'q3R7w9Zk2T'), ownScrubber, 'q3R7w9Zk2T')
    }
})
