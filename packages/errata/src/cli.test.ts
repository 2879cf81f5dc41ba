import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url))

/** The command line run from source, as its own process, with none of the caller's settings. */
function errata(...args: readonly string[]) {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('ERRATA_'))
  const flags = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']
  return spawnSync(process.execPath, [...flags, CLI, ...args], {
    encoding: 'utf8',
    env: Object.fromEntries(env),
    timeout: 30_000,
  })
}

describe('the command line', () => {
  const data = mkdtempSync(join(tmpdir(), 'errata-cli-'))
  after(() => rmSync(data, { recursive: true }))

  it('gives help with --help and -h, also for the first word of a command of two', () => {
    for (const [args, begins] of [
      [['--help'], /^Errata \d/],
      [['serve', '-h'], /^errata serve/],
      [['token', '--help'], /^errata token create/],
      [['user', '-h'], /^errata user reset-password/],
      [['token', 'create', '--help'], /^errata token create/],
    ] as const) {
      const { status, stdout, stderr } = errata(...args)
      assert.equal(status, 0, stderr)
      assert.match(stdout, begins, args.join(' '))
    }
    assert.equal(errata('token', 'destroy').status, 2)
  })

  it('names each broken rule of a setup once', () => {
    const { status, stderr } = errata(
      ...['setup', '--data', data, '--log-level', 'error', '--email', 'nobody', '--password', 'short'],
      ...['--organisation', 'Shop', '--project', 'web'],
    )
    assert.equal(status, 1)
    assert.deepEqual(stderr.trim().split('\n'), [
      'This is not valid:',
      '  email: This is not a mail address.',
      '  password: At least 10 characters.',
    ])
  })

  it('ends with a sentence when the data directory is a file', () => {
    const file = join(data, 'file')
    writeFileSync(file, '')
    const { status, stderr } = errata('token', 'create', '--scopes', 'all', '--data', file)
    assert.equal(status, 1)
    assert.match(stderr, /cannot be the data directory: a file is in its place/)
  })
})
