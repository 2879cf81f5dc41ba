/** Signals that a new organisation's overview lists: which of them were seen before the first event. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { joinAs, resultOf, signIn } from '../support/person.ts'
import { OWNER, startShop } from '../support/start-errata.ts'
import { uploadBundle } from '../support/upload-bundle.ts'
import { waitFor } from '../support/wait-for.ts'

it('a signal is seen once it came, though no event did', { timeout: 300_000 }, async () => {
  await using running = await startShop()
  const rosa = await signIn(running.url, OWNER)
  const rowOf = async (name: string, who = rosa, path = '/shop') => {
    const page = (await (await who.document(path)).text()).replaceAll(/<!--.*?-->/g, '')
    assert.match(page, />Seen<\/th>/)
    return page.split('<tr>').find((row) => row.includes(`>${name}</th>`)) ?? ''
  }
  assert.match(await rowOf('Releases and sessions'), /not yet/)
  const { username, pathname, origin } = new URL(running.shop.dsn)
  const session = {
    ...{ sid: '7c7b6585f9014ad4a0bde5a5aaf2eefa', init: true, status: 'ok', errors: 0 },
    ...{ started: new Date().toISOString(), attrs: { release: 'shop@1.0.0' } },
  }
  const answer = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: 'POST',
    body: ['{}', '{"type":"session"}', JSON.stringify(session)].join('\n'),
    headers: { 'content-type': 'application/x-sentry-envelope' },
  })
  assert.equal(answer.status, 200)
  await waitFor('the session', async () => / yes</.test(await rowOf('Releases and sessions')))
  assert.match(await rowOf('Errors'), /not yet/)
  assert.match(await rowOf('Readable stacks'), /not yet/)

  // What was uploaded for another project is nobody's business who may not read that.
  const path = '/shop/projects/new'
  await resultOf(
    await rosa.act('project.create', path, { name: 'Elsewhere', slug: 'elsewhere', platform: '', teams: [] }),
  )
  const { id } = (await (await rosa.api('GET', '/projects/shop/elsewhere/')).json()) as {
    readonly id: string
  } // as the API answers
  const invited = { email: 'guest@shop.example', role: 'guest', teams: [], projects: [id] }
  const { url } = await resultOf<{ url: string }>(
    await rosa.act('member.invite', '/shop/settings/members', invited),
  )
  const guest = await joinAs(running.url, url, 'a password of twenty')
  const bytes = Buffer.from('throw 1')
  await uploadBundle(running.shop, { 'files/app.js': { type: 'minified_source', url: '~/app.js', bytes } })
  await waitFor('the build', async () => / yes</.test(await rowOf('Readable stacks')))
  assert.match(await rowOf('Readable stacks', rosa, '/shop/projects/web'), / yes</)
  assert.match(await rowOf('Readable stacks', rosa, '/shop/projects/elsewhere'), /not yet/)
  assert.match(await rowOf('Readable stacks', guest), /not yet/)
})
