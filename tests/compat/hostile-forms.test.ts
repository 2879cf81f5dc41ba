/** Every form of the app, sent what no form was meant for: each answers in its own words, and none fails. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { actions } from '../../packages/web/src/shell/features.server.ts'
import { ACTION_INPUTS, actionAddress } from '../support/action-inputs.ts'
import { type TwoOrganisations, twoOrganisations } from '../support/two-organisations.ts'

const HOSTILE: readonly (readonly [what: string, value: string])[] = [
  ['ten thousand characters', 'x'.repeat(10_000)],
  ['NUL', 'a\u0000b'],
  ['a lone surrogate', 'a\ud800b'],
  ['an override of direction', '\u202eevil\u202c'],
  ['emoji', '👩‍👩‍👧‍👦'.repeat(40)],
  ['HTML', '<img src=x onerror=alert(1)>"\'&'],
  ['blanks', ' \u00a0\u3000 '],
  ['a huge number', '1e309'],
  ['a number beyond what is exact', '99999999999999999999'],
  ['a negative number', '-1'],
  ['a fraction', '0.5'],
  ['a date in the past', '1970-01-01T00:00:00Z'],
  ['a date that is none', '2026-02-31T25:61'],
  ['another time zone', 'America/Nowhere'],
]
/** Whatever takes away what others need is not sent: what they answer is asked without it. An app’s consent has no form. */
const TAKES_AWAY =
  /(?:^app\.|remove|delete|revoke|leave|discard|sign-out|disconnect|everywhere|password|transfer)/
/** Forms of signing in that anybody may send; the others go on from an answer of these. */
const OF_ANYBODY: readonly string[] = ['auth.sign-in', 'auth.forgot']

describe('forms', () => {
  let world: TwoOrganisations
  before(async () => {
    world = await twoOrganisations()
  })
  after(() => world?.running[Symbol.asyncDispose]())

  for (const [what, value] of HOSTILE)
    it(`answer ${what} in each of their fields, and never fail`, { timeout: 280_000 }, async () => {
      const { seats, shop } = world
      const wrong: string[] = []
      for (const { name } of actions) {
        if (TAKES_AWAY.test(name) || (name.startsWith('auth.') && !OF_ANYBODY.includes(name))) continue
        // Organisation and project keep their addresses, where all of these are sent: a new one may be any.
        const { slug, ...others } = { ...ACTION_INPUTS[name]?.(shop) }
        const own = name === 'org.rename' ? shop.org : slug
        const input = slug === undefined ? others : { ...others, slug: own }
        const by = name.startsWith('system.') ? seats.operator : seats.owner
        for (const [field, usual] of Object.entries(name === 'project.create' ? input : others)) {
          const [sent, isText] = [typeof usual === 'string' ? value : [value], typeof usual === 'string']
          if (!isText && !Array.isArray(usual)) continue
          const answer = await by.act(name, actionAddress(name, shop), { ...input, [field]: sent })
          const body = await answer.text()
          if (answer.status >= 500) wrong.push(`${name}, ${field}: ${answer.status} ${body.slice(0, 200)}`)
          else if (isWithoutLine(body)) wrong.push(`${name}, ${field}: no field is named in ${body}`)
        }
      }
      assert.deepEqual(wrong, [])
      assert.equal((await seats.owner.document(`/${shop.org}/projects/${shop.project}/settings`)).status, 200)
    })
})

/** True for a refusal of what was typed that says beside no field what is wrong. */
function isWithoutLine(body: string): boolean {
  const { error } = JSON.parse(body) as { error?: { code: string; fields?: object } } // the wire's shape of a refusal
  return error?.code === 'invalid_input' && Object.keys(error.fields ?? {}).length === 0
}
