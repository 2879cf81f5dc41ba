/** A verified email domain whose DNS record is gone stops counting, after its owners were told. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { recordText } from '#sign-in/domain-proof.ts'
import { recheckDomains } from '#sign-in/domain-recheck.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { anActor } from '#testing/builders/actor.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { createChanges } from './changes.ts'

const HOUR = 3_600_000

it('a verified domain counts for a week after its owners heard that its record is missing, and no longer', async (t) => {
  const clock = manualClock(NOW)
  const directory = mkdtempSync(join(tmpdir(), 'errata-domains-'))
  const path = join(directory, 'control.sqlite')
  const writer = openNewControl({ path, clock, log: silentLog })
  const reader = openControlReader({ path, clock, log: silentLog })
  t.after(async () => {
    await reader.close()
    await writer.close()
    rmSync(directory, { recursive: true })
  })
  const { own } = createChanges(writer)
  const { orgId: org } = value(await writer.createFirstOwner(FIRST_OWNER, anActor()))
  const provider = {
    kind: 'oidc' as const,
    ...{ name: 'Example', issuer: 'https://login.example.com', clientId: 'errata' },
    ...{ clientSecret: 'hidden', domainToken: 'token', domains: ['example.com'], isRequired: true },
    roleDefault: 'member' as const,
    ...{ organisations: [], roleClaim: '', roles: [] },
  }
  value(await writer.setSignInProvider(org, provider, anActor()))
  value(await writer.proveDomain(org, 'example.com', anActor(NOW)))
  const dns: { texts: readonly string[] | null } = { texts: [recordText('token')] }
  const lookUpTexts = async (name: string) => {
    assert.equal(name, '_errata.example.com')
    if (dns.texts === null) throw new Error('no answer')
    return dns.texts
  }
  const proved = async () => (await reader.signInProviders(org))[0]?.proved
  const scope = scopeForTest({ orgId: org, projects: [] })
  const noted = async () =>
    (await reader.audit(scope, { limit: 20, before: null }))
      .map(({ action }) => action)
      .filter((action) => /^sign_in\.domain_(missing|lost)$/.test(action))
  const emails = async () => {
    const asked = {
      nowMs: clock.now(),
      leaseMs: 1_000 * HOUR,
      lease: `${clock.now()}`,
      limit: 10,
      triesMax: 3,
    }
    return (await writer.claimMessages(asked)).map(({ message }) => message.headline)
  }
  const hours = async (count: number) => {
    for (let hour = 0; hour < count; hour++) {
      clock.advance(HOUR)
      await recheckDomains({
        ...{ lookUpTexts, clock },
        proved: () => own('provedDomains', { orgs: [org] }),
        note: (checked) => own('noteDomainCheck', checked),
      })
    }
  }
  await hours(2)
  // Where DNS does not answer nothing is known.
  dns.texts = null
  await hours(48)
  assert.deepEqual([await proved(), await noted()], [['example.com'], []])
  // Gone for some hours, and back: nobody hears of it.
  dns.texts = ['something else']
  await hours(20)
  dns.texts = [recordText('token')]
  await hours(1)
  dns.texts = []
  await hours(max('domainMissingMs') / HOUR)
  assert.deepEqual([await noted(), await emails()], [[], []])
  await hours(1)
  assert.deepEqual(await noted(), ['sign_in.domain_missing'])
  assert.deepEqual(await emails(), ['example.com is about to lose its verification'])
  await hours(max('domainGraceMs') / HOUR - 1)
  assert.deepEqual(await proved(), ['example.com'])
  await hours(1)
  assert.deepEqual([await proved(), await noted()], [[], ['sign_in.domain_lost', 'sign_in.domain_missing']])
  assert.deepEqual(await emails(), ['example.com is no longer verified'])
  await hours(2)
  assert.equal((await noted()).length, 2)
  // Verified again it counts from anew.
  value(await writer.proveDomain(org, 'example.com', anActor(clock.now())))
  dns.texts = [recordText('token')]
  await hours(1)
  assert.deepEqual(await proved(), ['example.com'])
})
