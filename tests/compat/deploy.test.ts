/** The files of `deploy/`, read by Errata's own parsers, and the built product run as they run it. */
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { max } from '@errata/server/limits'
import { readSettings, SETTINGS, type Settings } from '@errata/server/settings'
import { parse } from 'yaml'
import { readOptions, SETTING_OPTIONS, settingsFrom } from '../../packages/errata/src/command-line.ts'
import { API_ROUTES } from '../../packages/server/src/http/api/routes.ts'
import { newDataDirectory, serve } from '../support/start-errata.ts'
import { ROOT } from '../tidy/sources.ts'

const run = promisify(execFile)
const text = (name: string) => readFile(join(ROOT, 'deploy', name), 'utf8')
const VARIABLES: readonly string[] = Object.values(SETTINGS).map(({ variable }) => variable)

/** A file that is uploaded by itself is larger than any envelope. */
const LARGEST_BODY = Math.max(max('bodyBytesMax'), ...API_ROUTES.map(({ bodyBytesMax = 0 }) => bodyBytesMax))

/** Settings that the variables of a file amount to; fails for one that Errata does not know or refuses. */
function settingsOf(env: Readonly<Record<string, string>>): Settings {
  const own = Object.keys(env).filter((name) => name.startsWith('ERRATA_'))
  assert.deepEqual(
    own.filter((name) => !VARIABLES.includes(name)),
    [],
  )
  const answer = readSettings({ flags: {}, env })
  assert.ok(answer.ok, answer.ok ? '' : answer.mistakes.join('\n'))
  return answer.settings
}

/** Asserts that the words after the program are a command that Errata has. */
function assertServes(words: readonly string[]): void {
  assert.equal(words[0], 'serve')
  settingsFrom(readOptions(words.slice(1), SETTING_OPTIONS))
}

/** `NAME=value` pairs. */
function pairs(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

interface Image {
  /** By instruction; the last stage alone. */
  readonly said: (instruction: string) => string
  readonly env: Readonly<Record<string, string>>
}

async function image(): Promise<Image> {
  const whole = (await text('Containerfile')).replaceAll(/^#.*\n/gm, '').replaceAll(/\s*\\\n\s*/g, ' ')
  const last = whole.slice(whole.lastIndexOf('FROM ')).split('\n')
  const said = (instruction: string) => {
    const line = last.find((each) => each.startsWith(`${instruction} `))
    assert.ok(line !== undefined, `no ${instruction}`)
    return line.slice(instruction.length + 1).trim()
  }
  return { said, env: pairs(said('ENV').split(/\s+/)) }
}

/** The sections of a unit as `name=value` lines. */
async function unit(): Promise<(name: string) => readonly string[]> {
  const lines = (await text('errata.service')).split('\n')
  return (name) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))
}

interface Service {
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly networks: Readonly<Record<string, { readonly ipv4_address?: string } | null>>
  readonly ports?: readonly string[]
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly stop_grace_period?: string
}
interface Compose {
  readonly services: { readonly errata: Service; readonly caddy: Service }
  readonly networks: {
    readonly inside: { readonly ipam: { readonly config: readonly { subnet: string }[] } }
  }
  readonly volumes: Readonly<Record<string, unknown>>
}

describe('the image', () => {
  it('installs what the lock file says, and nothing else', async () => {
    const file = await text('Containerfile')
    assert.doesNotMatch(file.replaceAll(/^#.*$/gm, ''), /npm (?:install|i)\b|npx/)
    const directory = await mkdtemp(join(tmpdir(), 'errata-lock-'))
    const tarball = join(directory, 'errata.tgz')
    await writeFile(tarball, 'packed')
    const script = join(ROOT, 'scripts/lock-install.mjs')
    await run(process.execPath, [script, tarball, join(directory, 'opt')])
    const read = async (path: string) => JSON.parse(await readFile(path, 'utf8')).packages
    const made = await read(join(directory, 'opt', 'package-lock.json'))
    const own = await read(join(ROOT, 'package-lock.json'))
    const places = Object.keys(made).filter((place) => !['', 'node_modules/errata'].includes(place))
    assert.ok(places.includes('node_modules/@duckdb/node-api') && places.length > 3, places.join())
    for (const place of places)
      assert.deepEqual(
        [made[place].version, made[place].integrity],
        [own[place].version, own[place].integrity],
        place,
      )
    assert.match(made['node_modules/errata'].integrity, /^sha512-/)
    await rm(directory, { recursive: true })
  })

  it('serves from the volume at the port it names, as a user without rights', async () => {
    const { said, env } = await image()
    const settings = settingsOf(env)
    assert.equal(settings.data, said('VOLUME'))
    assert.equal(said('WORKDIR'), said('VOLUME'))
    assert.equal(said('EXPOSE'), String(settings.port))
    assert.equal(SETTINGS.port.fallback, String(settings.port))
    assert.ok(!['', 'root', '0'].includes(said('USER')))
    assert.match(said('FROM'), /^node:24-\w+-slim$/)
    const [program, file, ...more] = JSON.parse(said('ENTRYPOINT'))
    assert.deepEqual([program, file, more], ['node', '/opt/errata/node_modules/errata/bin/errata.mjs', []])
    assertServes(JSON.parse(said('CMD')))
  })

  it('is found healthy by its own check while Errata runs, and not after', async () => {
    const { said } = await image()
    const [, ...args] = JSON.parse(/CMD (\[.*\])$/.exec(said('HEALTHCHECK'))?.[1] ?? '[]')
    const running = await serve()
    const check = () =>
      run(process.execPath, args, { env: { ...process.env, ERRATA_PORT: String(running.port) } }).then(
        () => 0,
        ({ code }) => code,
      )
    assert.equal(await check(), 0)
    await running.stop()
    assert.equal(await check(), 1)
    await running[Symbol.asyncDispose]()
  })

  it('takes nothing along that is built, secret or not needed', async () => {
    const left = (await text('Containerfile.dockerignore')).split('\n')
    for (const name of ['.git', '**/node_modules', '**/dist', '**/errata-data'])
      assert.ok(left.includes(name), name)
  })
})

describe('the compose file', () => {
  it('keeps the data in a volume where the image writes, everything else read-only', async () => {
    const { services, volumes }: Compose = parse(await text('compose.yaml'))
    const { errata } = services
    const { said } = await image()
    assert.deepEqual(errata.volumes, [`data:${said('VOLUME')}`])
    assert.ok('data' in volumes)
    assert.deepEqual([errata.read_only, errata.tmpfs, errata.ports], [true, ['/tmp'], undefined])
    assert.deepEqual(errata.build, { context: '..', dockerfile: 'deploy/Containerfile' })
    assert.ok(Number.parseInt(errata.stop_grace_period ?? '', 10) > 10, 'draining takes up to ten seconds')
  })

  it('sets the address that Caddy serves, and believes Caddy alone', async () => {
    const { services, networks }: Compose = parse(await text('compose.yaml'))
    const { said, env } = await image()
    const named = Object.entries(services.errata.environment).map(([name, value]) => [
      name,
      String(value)
        .replace(/\$\{ERRATA_DOMAIN:\?[^}]*\}/, 'errata.example.com')
        .replace(/\$\{\w+:-([^}]*)\}/, '$1'),
    ])
    const settings = settingsOf({ ...env, ...Object.fromEntries(named) })
    assert.equal(settings.url, 'https://errata.example.com')
    const address = services.caddy.networks.inside?.ipv4_address
    assert.deepEqual(settings.trustedProxies, [address])
    const subnet = networks.inside.ipam.config[0]?.subnet ?? ''
    assert.equal(address?.replace(/\.\d+$/, '.0/24'), subnet)
    const caddy = await text('Caddyfile')
    assert.match(caddy, /^\{\$ERRATA_DOMAIN\} \{$/m)
    assert.match(caddy, new RegExp(`reverse_proxy errata:${said('EXPOSE')} `))
    const [, mebibytes = ''] = /max_size (\d+)MiB/.exec(caddy) ?? []
    assert.equal(Number(mebibytes) * 2 ** 20, LARGEST_BODY)
    const nginx = await readFile(join(ROOT, 'docs/operating/proxy.md'), 'utf8')
    const [, megabytes = ''] = /client_max_body_size (\d+)m;/.exec(nginx) ?? []
    assert.equal(Number(megabytes) * 2 ** 20, LARGEST_BODY)
    assert.ok(services.caddy.volumes.includes('./Caddyfile:/etc/caddy/Caddyfile:ro'))
  })
})

describe('the unit of systemd', () => {
  it('serves from its state directory, to a proxy on the same machine', async () => {
    const said = await unit()
    const env = pairs(said('Environment').map((line) => line.replace('%S', '/var/lib')))
    const settings = settingsOf({ ...env, ERRATA_URL: 'https://errata.example.com' })
    assert.equal(settings.data, `/var/lib/${said('StateDirectory')[0]}`)
    assert.deepEqual([settings.host, settings.trustedProxies], ['127.0.0.1', ['127.0.0.1']])
    assert.equal(String(settings.port), SETTINGS.port.fallback)
    const [program, file, ...words] = (said('ExecStart')[0] ?? '').split(' ')
    assert.deepEqual([program, file], ['/usr/bin/node', '/opt/errata/node_modules/errata/bin/errata.mjs'])
    assertServes(words)
    assert.deepEqual([said('User'), said('ProtectSystem')], [['errata'], ['strict']])
    assert.ok(Number.parseInt(said('TimeoutStopSec')[0] ?? '', 10) > 10, 'draining takes up to ten seconds')
  })

  const systemd = spawnSync('systemd-analyze', ['--version']).status === 0
  it('is found right by systemd', { skip: systemd ? false : 'no systemd-analyze here' }, async () => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', join(ROOT, 'deploy/errata.service')])
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('errata.service'))
    // Where Node is elsewhere, that alone is told.
    assert.deepEqual(
      said.filter((line) => !line.includes('/usr/bin/node')),
      [],
    )
  })
})

/**
 * Mounts the root file system read-only, as the kernel keeps a container's: everything but the data
 * directory.
 */
const READ_ONLY = `
set -e
mount --make-rprivate /
mount --bind "$DATA" "$DATA"
awk '{print $5}' /proc/self/mountinfo | sort -r | while read -r place; do
  case "$place" in
    /proc*|/sys*|/dev*|"$DATA") ;;
    *) mount -o remount,bind,ro "$place" ;;
  esac
done
if touch "$DATA/../written" 2>/dev/null; then echo "the file system is not read-only" >&2; exit 99; fi
exec "$@"`

describe('with a read-only root file system', () => {
  const names = ['--user', '--map-root-user', '--mount']
  const can = spawnSync('unshare', [...names, 'sh', '-c', 'mount --make-rprivate /']).status === 0
  it('Errata serves and writes to its data directory alone', {
    skip: can ? false : 'no namespaces of mounts here',
  }, async (t) => {
    const data = await newDataDirectory()
    const bin = join(ROOT, 'packages/errata/bin/errata.mjs')
    const child = spawn(
      'unshare',
      [...names, 'sh', '-c', READ_ONLY, 'sh', process.execPath, bin, 'serve', '--port', '0', '--demo'],
      {
        env: { ...process.env, DATA: data, ERRATA_DATA: data, HOME: '/nonexistent' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    t.after(() => child.kill('SIGKILL'))
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    let said = ''
    const filled = new Promise<boolean>((resolve) => {
      const read = (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('The sample organisation is filled')) resolve(true)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      void ended.then(() => resolve(false))
    })
    assert.ok(await filled, said)
    const address = /Address\s+(\S+)/.exec(said)?.[1] ?? ''
    const health: unknown = await (await fetch(`${address}/health`)).json()
    assert.deepEqual(health, { ok: true, status: 'ok', detail: 'ok', reasons: [] })
    child.kill('SIGTERM')
    assert.equal(await ended, 0, said)
    assert.doesNotMatch(said, /EROFS|[Rr]ead-only file system/)
    await rm(data, { recursive: true, force: true })
  })
})
