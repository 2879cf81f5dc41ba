/** The overview before the first error: which signals were seen, and what there is to say of those that came. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { apiGet, apiPost } from '../support/api.ts'
import { joinAs, resultOf, signIn } from '../support/person.ts'
import { sendRequests } from '../support/requests.ts'
import { OWNER, startShop } from '../support/start-errata.ts'
import { uploadBundle } from '../support/upload-bundle.ts'
import { waitFor } from '../support/wait-for.ts'

it('what came is told though no error did, and a project without any says what brings it', {
  timeout: 300_000,
}, async () => {
  await using running = await startShop()
  const { shop } = running
  const rosa = await signIn(running.url, OWNER)
  const overview = async (path: string) =>
    (await (await rosa.document(path)).text()).replaceAll(/<!--.*?-->/g, '').replaceAll(/<[^>]+>/g, '|')
  const isSeen = async (name: string) => {
    const page = await overview('/shop')
    assert.match(page, /No data yet/)
    return !new RegExp(`\\|${name}\\|.*?(not yet| yes)\\|`).exec(page)?.[1]?.startsWith('not')
  }
  assert.equal(await isSeen('Releases and sessions'), false)
  await apiPost(shop, '/organizations/shop/releases/', { version: 'shop@1.0.0', projects: ['web'] })
  assert.equal(await isSeen('Releases and sessions'), true)
  assert.equal(await isSeen('Errors'), false)
  assert.equal(await isSeen('Readable stacks'), false)

  await apiPost(shop, '/organizations/shop/projects/', { name: 'api' })
  await sendSession(shop.dsn, { status: 'crashed', errors: 1 })
  await waitFor('the session', async () => (await overview('/shop')).includes('1 of 1 session crashed'))
  assert.match(await overview('/shop/projects/web'), /1 of 1 session crashed.*Crash-free/s)
  assert.match(await overview('/shop/projects/api'), /No data from api yet/)

  const [key] = await apiGet<readonly { readonly dsn: { readonly public: string } }[]>(
    shop,
    '/projects/shop/api/keys/',
  )
  await sendRequests(key?.dsn.public ?? '', [{ route: '/cart', ms: 90, agoMs: 1_000 }])
  await waitFor('the request', async () =>
    (await overview('/shop/projects/api')).includes('No request failed'),
  )
})

async function sendSession(dsn: string, change: object): Promise<void> {
  const { username, pathname, origin } = new URL(dsn)
  const session = {
    ...{ sid: '7c7b6585f9014ad4a0bde5a5aaf2eefa', init: true, status: 'ok', errors: 0 },
    ...{ started: new Date().toISOString(), attrs: { release: 'shop@1.0.0' }, ...change },
  }
  const answer = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: 'POST',
    body: ['{}', '{"type":"session"}', JSON.stringify(session)].join('\n'),
    headers: { 'content-type': 'application/x-sentry-envelope' },
  })
  assert.equal(answer.status, 200)
}

it('what was uploaded for another project is nobody’s business who may not read that', {
  timeout: 300_000,
}, async () => {
  await using running = await startShop()
  const rosa = await signIn(running.url, OWNER)
  const isReadable = async (who = rosa, path = '/shop') => {
    const page = (await (await who.document(path)).text()).replaceAll(/<!--.*?-->/g, '')
    assert.match(page, />Seen<\/th>/)
    const row = page.split('<tr>').find((one) => one.includes('>Readable stacks</th>')) ?? ''
    assert.match(row, / yes<|not yet/)
    return / yes</.test(row)
  }
  await resultOf(
    await rosa.act('project.create', '/shop/projects/new', {
      ...{ name: 'Elsewhere', slug: 'elsewhere', platform: '', teams: [] },
    }),
  )
  const { id } = await apiGet<{ readonly id: string }>(running.shop, '/projects/shop/elsewhere/')
  const invited = { email: 'guest@shop.example', role: 'guest', teams: [], projects: [id] }
  const { url } = await resultOf<{ url: string }>(
    await rosa.act('member.invite', '/shop/settings/members', invited),
  )
  const guest = await joinAs(running.url, url, 'a password of twenty')
  const bytes = Buffer.from('throw 1')
  await uploadBundle(running.shop, { 'files/app.js': { type: 'minified_source', url: '~/app.js', bytes } })
  await waitFor('the build', () => isReadable())
  assert.equal(await isReadable(rosa, '/shop/projects/web'), true)
  assert.equal(await isReadable(rosa, '/shop/projects/elsewhere'), false)
  assert.equal(await isReadable(guest), false)
})
