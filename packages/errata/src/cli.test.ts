import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
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
    timeout: 120_000,
  })
}

/** Returns what a tool reads from an organisation token. */
function carried(token: string): { readonly url: string | null; readonly org: string } {
  return JSON.parse(Buffer.from(token.split('_')[1] ?? '', 'base64').toString())
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

  it('ends a wrong call with what is wrong, and where to read on', () => {
    for (const [args, said] of [
      [['serve', '--port', 'abc'], '--port (ERRATA_PORT) is "abc", but must be a number from 0 to 65535'],
      [
        ['serve', '--max-disk', 'much'],
        '--max-disk (ERRATA_MAX_DISK) is "much", but must be a size such as 20GB',
      ],
    ] as const) {
      const { status, stderr } = errata(...args)
      assert.equal(status, 2)
      assert.deepEqual(stderr.trim().split('\n'), [
        'Invalid settings:',
        `  ${said}`,
        'See "errata serve --help".',
      ])
    }
    assert.match(
      errata('token', 'create').stderr,
      /^missing: --scopes\nSee "errata token create --help"\.\n$/,
    )
    assert.match(errata('start').stderr, /^errata: there is no command "start"\n\n {2}errata serve /)
  })

  it('names each broken rule of a setup once', () => {
    const { status, stderr } = errata(
      ...['setup', '--data', data, '--log-level', 'error', '--email', 'nobody', '--password', 'short'],
      ...['--organisation', 'Shop', '--project', 'web'],
    )
    assert.equal(status, 1)
    assert.deepEqual(stderr.trim().split('\n'), [
      'Invalid:',
      '  email: Enter an email such as name@example.com.',
      '  password: At least 10 characters.',
    ])
  })

  it('keeps the address that setup was given for links of later commands and of the server', () => {
    const kept = join(data, 'kept')
    const setUp = errata(
      ...['setup', '--data', kept, '--log-level', 'error', '--email', 'rosa@shop.example', '--json'],
      ...['--password', 'correct horse battery', '--organisation', 'Shop', '--project', 'web'],
      ...['--url', 'https://errata.shop.example'],
    )
    assert.equal(setUp.status, 0, setUp.stderr)
    assert.match(setUp.stdout, /@errata\.shop\.example\//)
    const reset = errata('user', 'reset-password', '--data', kept, '--email', 'rosa@shop.example')
    assert.match(reset.stdout, /^https:\/\/errata\.shop\.example\/reset\//m)
  })

  it('gives a token the address that serves, and none while that is a guess', () => {
    const setUp = (name: string, ...more: readonly string[]) => {
      const at = join(data, name)
      const owner = ['--email', 'rosa@shop.example', '--password', 'correct horse battery']
      const made = errata(
        ...['setup', '--data', at, '--log-level', 'error', '--json', ...owner],
        ...['--organisation', 'Shop', '--project', 'web', ...more],
      )
      assert.equal(made.status, 0, made.stderr)
      return { at, token: carried(JSON.parse(made.stdout).token), said: made.stderr }
    }
    const guess = setUp('guess')
    assert.equal(guess.token.url, null)
    assert.equal(guess.token.org, 'shop')
    assert.match(guess.said, /carries no address: tools need SENTRY_URL/)
    const port = setUp('port', '--port', '9441')
    assert.equal(port.token.url, 'http://localhost:9441')
    assert.match(port.said, /The token carries http:\/\/localhost:9441/)
    const below = setUp('below', '--url', 'https://shop.example/errata')
    assert.equal(below.token.url, 'https://shop.example/errata')
    assert.match(below.said, /sentry-cli refuses addresses with a path/)
    // As a server leaves it that listens there, or did.
    writeFileSync(
      join(guess.at, 'address.json'),
      JSON.stringify({ url: 'http://localhost:9442', isFixed: false }),
    )
    const later = errata('token', 'create', '--scopes', 'org:ci', '--data', guess.at, '--log-level', 'error')
    assert.equal(carried(later.stdout.trim()).url, 'http://localhost:9442')
    assert.match(later.stderr, /carries http:\/\/localhost:9442/)
  })

  it('ends with a sentence when the data directory is a file', () => {
    const file = join(data, 'file')
    writeFileSync(file, '')
    const { status, stderr } = errata('token', 'create', '--scopes', 'all', '--data', file)
    assert.equal(status, 1)
    assert.match(stderr, /cannot be the data directory: a file is in its place/)
  })
})

describe('errata check', () => {
  const data = mkdtempSync(join(tmpdir(), 'errata-check-'))
  after(() => rmSync(data, { recursive: true }))
  const lines = (text: string) => text.trimEnd().split('\n')

  it('keeps the columns of its table apart, however long a name is', () => {
    const { status, stderr } = errata(
      ...['setup', '--data', data, '--log-level', 'error', '--email', 'rosa@shop.example'],
      ...['--password', 'correct horse battery', '--organisation', 'Shop', '--project', 'web'],
    )
    assert.equal(status, 0, stderr)
    const sound = errata('check', '--data', data)
    assert.equal(sound.status, 0)
    assert.match(sound.stdout, /^ok {5}journal {2,}(?:none yet|\d+ files?, [\d.]+ (?:B|KiB))$/m)
    mkdirSync(join(data, 'columns'), { recursive: true })
    mkdirSync(join(data, 'payloads'), { recursive: true })
    for (const stem of ['error-2026-11-22.90', 'error-2026-11-21.365']) {
      writeFileSync(join(data, 'payloads', `${stem}.seg`), '')
    }
    const { status: found, stdout } = errata('check', '--data', data)
    assert.equal(found, 1)
    assert.match(stdout, /^WRONG {2}columns error-2026-11-22\.90 {3}missing or damaged/m)
    assert.match(stdout, /^WRONG {2}columns error-2026-11-21\.365 {2}missing or damaged/m)
    for (const line of lines(stdout)) assert.match(line, /^(?:ok {3}|WRONG) {2}\S.*? {2,}\S/)
  })

  it('says what it found where the deep check cannot be done', () => {
    rmSync(join(data, 'payloads', 'error-2026-11-21.365.seg'))
    writeFileSync(join(data, 'payloads', 'error-2026-11-22.90.seg'), 'X'.repeat(100))
    const { status, stdout, stderr } = errata('check', '--deep', '--data', data)
    assert.equal(status, 1)
    assert.equal(stderr, '')
    assert.match(stdout, /^ok {5}control store {2,}sound/m)
    assert.match(
      stdout,
      /^WRONG {2}deep check {2,}the deep check could not be done: payload file .* is damaged/m,
    )
  })

  it('says what it found where the control store is damaged', () => {
    rmSync(join(data, 'payloads'), { recursive: true })
    const file = openSync(join(data, 'control.sqlite'), 'r+')
    writeSync(file, Buffer.alloc(8_192, 0xa5), 0, 8_192, 8_192)
    closeSync(file)
    const { status, stdout, stderr } = errata('check', '--deep', '--data', data)
    assert.equal(status, 1)
    assert.equal(stderr, '')
    assert.match(stdout, /^ok {5}settings /)
    assert.match(stdout, /^WRONG {2}control store {2,}\S/m)
    assert.match(stdout, /^ok {5}journal /m)
    assert.match(
      stdout,
      /^WRONG {2}deep check {2,}the deep check could not be done: the control store can’t be read/m,
    )
  })
})
