/** The handbook as the product serves it, to whoever has the address. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signIn } from '../support/person.ts'
import { newDataDirectory, OWNER, type RunningErrata, serve, setUp } from '../support/start-errata.ts'

const SECRETS = 'http://evil.example"><script>alert(1)</script>'

describe('the handbook', { timeout: 900_000 }, () => {
  let errata: RunningErrata
  before(async () => {
    const data = await newDataDirectory()
    errata = await serve({ data })
    await setUp(data, errata.url)
  })
  after(() => errata?.[Symbol.asyncDispose]())

  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${errata.url}${path}`, { headers, redirect: 'manual' })
  const read = async (path: string) => (await ask(path)).text()

  it('is there without sign-in, whole without script, and runs none that is not its own file', async () => {
    const answer = await ask('/docs/relay')
    const html = await answer.text()
    assert.equal(answer.status, 200)
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.doesNotMatch(html, /<script(?! type="module" src="\/assets\/)|<style| style="/)
    assert.match(html, /<h1 id="the-relay">/)
    assert.match(html, /<h2 id="1-add-the-route">/)
    assert.match(html, /<nav id="pages"[^>]*>[\s\S]*href="\/docs\/operating\/deploy"/)
  })

  it('answers every page, heading, picture and file that its pages lead to', async () => {
    const seen = new Map<string, string>([['/docs', await read('/docs')]])
    const open = [...seen.keys()]
    const anchors: (readonly [string, string])[] = []
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      for (const [, target = ''] of (seen.get(path) ?? '').matchAll(/(?:href|src)="(\/docs[^"]*|#[^"]*)"/g)) {
        const [page = '', anchor] = target.split('#')
        const to: string = page === '' ? path : page
        if (anchor !== undefined && anchor !== 'main') anchors.push([to, anchor])
        if (seen.has(to)) continue
        const answer = await ask(to)
        assert.equal(answer.status, 200, `${path} leads to ${to}`)
        seen.set(to, to.startsWith('/docs/files/') ? '' : await answer.text())
        await answer.body?.cancel().catch(() => {})
        open.push(to)
      }
    }
    assert.ok(seen.size > 40, String(seen.size))
    for (const [page, anchor] of anchors)
      assert.ok(seen.get(page)?.includes(` id="${anchor}"`), `${page}#${anchor}`)
  })

  it('has the address in its code by which it was opened, and no other text of a request', async () => {
    assert.ok((await read('/docs/first-event')).includes(`http://KEY@localhost:${errata.port}/1`))
    const named = await ask('/docs/first-event', { 'x-forwarded-proto': SECRETS })
    assert.doesNotMatch(await named.text(), /evil|alert\(1\)/)
    const searched = await read(`/docs/find?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    assert.doesNotMatch(searched, /<script>alert/)
    // How to choose an address is told by an example until one with https is chosen.
    assert.match(await read('/docs/operating/proxy'), /--url https:\/\/errata\.example\.com/)
  })

  it('is asked for again only when it changed, and is another document for somebody signed in', async () => {
    const first = await ask('/docs/alerts')
    const html = await first.text()
    const etag = first.headers.get('etag') ?? ''
    assert.equal(first.headers.get('cache-control'), 'private, no-cache')
    assert.equal((await ask('/docs/alerts', { 'if-none-match': etag })).status, 304)
    assert.match(html, />Sign in</)
    const picture = await ask('/docs/files/slack-bot.png')
    assert.equal(picture.headers.get('content-type'), 'image/png')
    const again = await ask('/docs/files/slack-bot.png', {
      'if-none-match': picture.headers.get('etag') ?? '',
    })
    assert.equal(again.status, 304)
    const rosa = await signIn(errata.url, OWNER)
    assert.match(await (await rosa.document('/docs/alerts')).text(), />Open Errata</)
  })

  it('finds sections by words, leads from a screen to its section and from a file’s name to its page', async () => {
    const found = await read('/docs/find?q=quiet+hours')
    assert.match(found, /href="\/docs\/alerts#noise"/)
    assert.match(await read('/docs/find?q=xyzzyplugh'), /No page has all of these words/)
    const rosa = await signIn(errata.url, OWNER)
    const palette = await (await rosa.script('/palette?org=shop&q=source+maps')).json()
    assert.ok(palette.docs.some(({ path }: { path: string }) => path.startsWith('/docs/readable-stacks')))
    assert.equal((await ask('/docs?of=alerts.log')).headers.get('location'), '/docs/chat#the-log')
    assert.equal((await ask('/docs/operating/README.md')).headers.get('location'), '/docs/operating')
  })

  it('stands below the path of another host, with that address in its code', async () => {
    await using other = await serve({ args: ['--url', 'https://tools.example.com/errata'] })
    const html = await (await fetch(`${other.url}/docs/operating/proxy`)).text()
    assert.match(html, /--url https:\/\/tools\.example\.com\/errata --trusted/)
    assert.match(html, /server_name tools\.example\.com;/)
    const links = [...html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, target = '']) => target)
    assert.ok(links.length > 40)
    assert.deepEqual(
      links.filter((target) => !target.startsWith('/errata/')),
      [],
    )
    const moved = await fetch(`${other.url}/docs?of=alerts`, { redirect: 'manual' })
    assert.equal(moved.headers.get('location'), '/errata/docs/alerts')
  })

  it('refuses what is not there, and is read only', async () => {
    for (const path of [
      '/docs/nope',
      '/docs/wire',
      '/docs/files/../handbook.json',
      '/docs/files/handbook.json',
    ])
      assert.equal((await ask(path)).status, 404, path)
    for (const path of [
      '/docs/files/..%2fhandbook.json',
      '/docs/%00',
      '/docs/__proto__',
      '/docs/files/constructor',
    ])
      assert.ok((await ask(path)).status >= 400, path)
    const posted = await fetch(`${errata.url}/docs`, { method: 'POST', body: 'a=b' })
    assert.equal(posted.status, 405)
    await posted.body?.cancel()
  })
})
