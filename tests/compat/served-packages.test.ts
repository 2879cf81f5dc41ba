/**
 * Runs the lines that an installation's own pages print in empty folders against the running server. Only
 * loopback is there to download from.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { RELAY_FRAMEWORKS, relaySnippets } from '../../packages/web/src/parts/relay-snippets.ts'
import { issues } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { signIn } from '../support/person.ts'
import { anEvent } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import { ROOT } from '../tidy/sources.ts'

const run = promisify(execFile)
/** A registry that nobody answers at. */
const NOWHERE = 'http://127.0.0.1:9/'
const NAMES = ['relay', 'client', 'errata'] as const

describe('the packages of an installation', { timeout: 900_000 }, () => {
  let errata: RunningErrata & { readonly shop: SetUp }
  let bare = ''
  before(async () => {
    errata = await startShop()
    bare = await mkdtemp(join(tmpdir(), 'errata-bare-'))
    await writeFile(join(bare, 'package.json'), '{"private":true,"type":"module"}')
  })
  after(async () => {
    await errata?.[Symbol.asyncDispose]()
    await rm(bare, { recursive: true, force: true })
  })

  /** A printed line, as a shell without any npm setting but the registry runs it. */
  async function line(text: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { stdout } = await run('bash', ['-c', text], {
      cwd: bare,
      timeout: 120_000,
      env: { ...process.env, npm_config_registry: NOWHERE, npm_config_cache: join(bare, '.npm'), ...env },
    })
    return stdout
  }

  it('are there for anybody, small, and asked for again only when they changed', async () => {
    for (const name of NAMES) {
      const url = `${errata.url}/packages/${name}.tgz`
      const answer = await fetch(url)
      const bytes = await answer.bytes()
      assert.equal(answer.status, 200, name)
      assert.equal(answer.headers.get('content-type'), 'application/gzip')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(answer.headers.get('content-length'), String(bytes.length))
      assert.ok(bytes.length < 200_000, `${name} has ${bytes.length} bytes`)
      const etag = answer.headers.get('etag') ?? ''
      const again = await fetch(url, { headers: { 'if-none-match': etag } })
      assert.deepEqual([again.status, (await again.bytes()).length], [304, 0])
      const head = await fetch(url, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers.get('etag')], [200, etag])
    }
    for (const path of ['nope.tgz', 'relay.tgz.map', 'relay', 'constructor.tgz'])
      assert.equal((await fetch(`${errata.url}/packages/${path}`)).status, 404, path)
  })

  it('are those of its version, without scripts and without anything to download', async () => {
    await line(NAMES.map((name) => `npm install ${errata.url}/packages/${name}.tgz`).join(' && '))
    const installed = await readdir(join(bare, 'node_modules/@errata'))
    assert.deepEqual(installed.toSorted(), ['cli', 'client', 'relay'])
    for (const name of installed) {
      const folder = join(bare, 'node_modules/@errata', name)
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
      assert.deepEqual(
        [manifest.scripts, manifest.dependencies, manifest.license],
        [undefined, undefined, 'MIT'],
      )
      assert.doesNotMatch(JSON.stringify(manifest), /errata-source/)
      assert.match(errata.output(), new RegExp(`^Errata ${manifest.version} is running`, 'm'))
    }
    await line(`node -e "import('@errata/client').then(({ createClient }) => createClient.name)"`)
  })

  for (const { id, name } of RELAY_FRAMEWORKS) {
    it(`have what the snippet for ${name} imports`, async () => {
      const input = { dsn: errata.shop.dsn, query: 'o=shop&p=web', url: errata.url }
      const [install, ...files] = relaySnippets(id, input)
      assert.equal(install?.text, `npm install ${errata.url}/packages/relay.tgz`)
      const text = files.map((file) => file.text).join('\n')
      const [, made = '', from = ''] = /import \{ (\w+) \} from '(@errata\/relay[^']*)'/.exec(text) ?? []
      const type = await line(`node -e "import('${from}').then((all) => console.log(typeof all.${made}))"`)
      assert.equal(type.trim(), 'function')
    })
  }

  it('make an app relay: the snippet for Node, followed in an empty folder', async () => {
    const port = await freePort()
    const input = { dsn: errata.shop.dsn, query: 'o=shop&p=web', url: errata.url }
    const [, file] = relaySnippets('node', input)
    const app = file?.text.replace(
      '  // the app\n})',
      `  response.end('the app')\n}).listen(${port}, '127.0.0.1')`,
    )
    await writeFile(join(bare, 'server.js'), app ?? '')
    const child = spawn(process.execPath, ['server.js'], { cwd: bare, stdio: 'inherit' })
    try {
      const address = `http://127.0.0.1:${port}`
      const home = await waitFor('the app', () => fetch(address).catch(() => null))
      assert.equal(await home.text(), 'the app')
      const event = anEvent({ message: 'through the relay' })
      const body = [{ dsn: errata.shop.dsn }, { type: 'event' }, event]
        .map((each) => JSON.stringify(each))
        .join('\n')
      const sent = await fetch(`${address}/monitoring?o=shop&p=web`, { method: 'POST', body })
      assert.equal(sent.status, 200)
      await waitFor('the event', async () => (await issues(errata.shop, 'relay')).length > 0)
    } finally {
      child.kill()
    }
  })

  it('upload a build by the line that the page of source maps prints', async () => {
    const rosa = await signIn(errata.url, OWNER)
    const page = await (await rosa.document('/shop/projects/web/settings/source-maps')).text()
    const printed = `npx --yes ${errata.url}/packages/errata.tgz upload-build ./dist --url ${errata.url} --org shop --project web`
    assert.ok(page.includes(printed), 'the page prints another line')
    await mkdir(join(bare, 'dist'))
    await writeFile(
      join(bare, 'dist/app.js'),
      'function a(){throw new Error("x")}a();\n//# sourceMappingURL=app.js.map\n',
    )
    const map = {
      version: 3,
      sources: ['../src/app.ts'],
      names: [],
      mappings: 'AAAA,iBAAiB',
      sourcesContent: ['fail()'],
    }
    await writeFile(join(bare, 'dist/app.js.map'), JSON.stringify(map))
    const report = await line(printed, { SENTRY_AUTH_TOKEN: errata.shop.token })
    assert.match(report, /app\.js/)
    const listed = await line(`npx --yes ${errata.url}/packages/errata.tgz issues --url ${errata.url}`, {
      ERRATA_TOKEN: errata.shop.token,
    })
    assert.match(listed, /through the relay/)
  })

  it('tokens that lead elsewhere are marked', async () => {
    await run(process.execPath, [
      ...[join(ROOT, 'packages/errata/bin/errata.mjs'), 'token', 'create', '--scopes', 'org:ci'],
      ...[
        '--name',
        'moved',
        '--data',
        errata.data,
        '--url',
        'https://old.example.com',
        '--log-level',
        'error',
      ],
    ])
    const rosa = await signIn(errata.url, OWNER)
    const page = await (await rosa.document('/shop/settings/tokens')).text()
    assert.equal(page.match(/Carries https:\/\/old\.example\.com: sentry-cli/g)?.length, 1)
  })
})
