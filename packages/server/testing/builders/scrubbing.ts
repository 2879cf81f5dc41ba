/** Events with secrets in them, and what scrubbing makes of them. */
import assert from 'node:assert/strict'
import { readEventId } from '#base/ids.ts'
import type { NormalizedEvent, ScrubbedEvent } from '#model/event.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { createScrubber, scrubEvent } from '#scrub/scrub.ts'

export const DEFAULTS: ScrubOptions = { extraKeys: [], allowedKeys: [], clientAddress: 'keep' }
const ID = readEventId('9ec79c33ec9942ab8353589fcb2e04dc')
export const CANARY = 'cAn4ry-7f3e'

export function aNormalizedEvent(fields: Partial<NormalizedEvent>): NormalizedEvent {
  assert.ok(ID !== null)
  const base = { event_id: ID, timestamp: 1, received: 1, level: 'error', platform: 'node' } as const
  return { ...base, tags: [], problems: [], ...fields }
}

export function scrubFields(
  fields: Partial<NormalizedEvent>,
  options: Partial<ScrubOptions> = {},
): ScrubbedEvent {
  return scrubEvent(aNormalizedEvent(fields), createScrubber({ ...DEFAULTS, ...options }), {
    clientAddress: '203.0.113.9',
  })
}

export function scrubbedText(text: string): string {
  const { message } = scrubFields({ message: text })
  assert.ok(message !== undefined)
  return message
}

/** Each text holds the canary once, in a place that means a secret. */
export const SECRETS = [
  `password=${CANARY}`,
  `password: ${CANARY}`,
  `Password = '${CANARY}'`,
  `{"user":"bob","password":"${CANARY}"}`,
  `{"password": {"nested": ["${CANARY}"]}}`,
  `[{"headers":{"Authorization":"Bearer ${CANARY}"}}]`,
  `{"user":{"api_key":"${CANARY}`,
  `{\\"password\\":\\"${CANARY}\\"}`,
  `"{\\\\\\"token\\\\\\":\\\\\\"${CANARY}\\\\\\"}"`,
  `{"pass\\u0077ord":"${CANARY}"}`,
  `{"pass\\u0077ord":"${CANARY}`,
  `{"password":"${CANARY}","password":null}`,
  `log: {"a":1} {"token":"${CANARY}"}`,
  `{"a":1}\n{"token":"${CANARY}"}`,
  `?token=${CANARY}&x=1`,
  `https://x.example/a?x=1&access_token=${CANARY}#top`,
  `https://x.example/cb#id_token=${CANARY}&state=1`,
  `/login?next=%2Fa%3Fpassword%3D${CANARY}`,
  `/login?next=%252Fa%253Fpassword%253D${CANARY}`,
  `%22password%22%3A%22${CANARY}%22`,
  `&quot;password&quot;:&quot;${CANARY}&quot;`,
  `--x\r\nContent-Disposition: form-data; name="user"\r\n\r\nbob\r\n--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${CANARY}\r\n--x--`,
  `--x\nContent-Disposition: form-data; name="api_key"; filename="k"\nContent-Type: text/plain\n\nfirst\n${CANARY}\n--x--`,
  `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${CANARY};EndpointSuffix=x`,
  `user%5Bpassword%5D=${CANARY}&commit=1`,
  `user[password]=${CANARY}&commit=1`,
  `a=1&password=${CANARY},with;odd)chars&b=2`,
  `postgres://app:${CANARY}@db.internal:5432/shop`,
  `redis://:${CANARY}@cache:6379`,
  `postgres://app:p/${CANARY}@db/shop`,
  `https://${CANARY}@errata.example/1`,
  `app:${CANARY}@tcp(10.0.0.1:3306)/shop`,
  `Server=db;Uid=sa;Pwd=${CANARY};Encrypt=yes`,
  `Authorization: Bearer ${CANARY}`,
  `Authorization: Digest username="bob", response="${CANARY}"`,
  `authorization=Bearer ${CANARY}`,
  `curl -H "Authorization: token ${CANARY}" https://x.example`,
  `curl -u bob:${CANARY} https://x.example`,
  `sent bearer ${CANARY} and failed`,
  `Basic ${Buffer.from(`bob:${CANARY}`).toString('base64')}`.replace(/^/, ''),
  `Cookie: a=1; session=${CANARY}; b=2`,
  `Set-Cookie: sid=${CANARY}; HttpOnly`,
  `GET / HTTP/1.1\r\nX-Api-Key: ${CANARY}\r\nHost: x`,
  `map[Authorization:[Bearer ${CANARY}] Host:[x]]`,
  `{:password=>"${CANARY}", :user=>"bob"}`,
  `array('password' => '${CANARY}')`,
  `{'token': b'${CANARY}', 'x': 1}`,
  `User(name='bob', password='${CANARY}')`,
  `User{Name:bob Password:${CANARY}}`,
  `<password>${CANARY}</password>`,
  `<soap:Password type="text">${CANARY}</soap:Password>`,
  `login --user bob --password ${CANARY} --verbose`,
  `["--api-key","${CANARY}"]`,
  `setPassword("${CANARY}")`,
  `DB_PASSWORD=${CANARY} node server.js`,
  `password=[Filtered]${CANARY}`,
  `-----BEGIN RSA PRIVATE KEY-----\nMIIE${CANARY}\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\\nMIIE${CANARY}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ${CANARY}.sIgn4ture`,
  `ghp_${'a1B2'.repeat(9)}${CANARY}`.replace('-', ''),
  `hooks.slack.com/services/T000/B000/x1y2z3x1y2z3${CANARY}`,
]
