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

describe('the packed packages', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'errata-pack-'))
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
  after(() => rm(folder, { recursive: true, force: true }))

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

  it('run: errata serves', async () => {
    const child = spawn(
      process.execPath,
      [
        join(folder, 'node_modules/errata/bin/errata.mjs'),
        'serve',
        '--data',
        join(folder, 'data'),
        '--port',
        '0',
        '--host',
        '127.0.0.1',
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
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
    }
  })
})

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
