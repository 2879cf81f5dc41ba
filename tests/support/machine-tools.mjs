/**
 * Stands in for programs of a machine of `machine.ts` that need a daemon: does what the arguments ask for,
 * with processes, users and bind mounts. An argument that it does not know is a failure.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'

const PLACE = process.env.MACHINE ?? ''
const STATE = join(PLACE, 'state')
const NODE = join(PLACE, 'bin/node')
const [name = '', ...args] = process.argv.slice(2)
mkdirSync(STATE, { recursive: true })

function run(program, words, options = {}) {
  const { status } = spawnSync(program, words, { stdio: 'inherit', ...options })
  return status ?? 1
}

/** Replaces this process, as `exec` of a shell does: a signal to it is one to the program. */
function replaced([program, ...words]) {
  const child = spawn(program, words, { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  child.once('exit', (status) => process.exit(status ?? 1))
  return null
}

function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(64)
}

/** A process that goes on, under a name. */
function begin(key, [program, ...words], env) {
  const log = openSync(join(STATE, `${key}.log`), 'a')
  const child = spawn(program, words, { env, cwd: '/', detached: true, stdio: ['ignore', log, log] })
  writeFileSync(join(STATE, `${key}.pid`), String(child.pid))
  child.unref()
}

function end(key) {
  const file = join(STATE, `${key}.pid`)
  if (!existsSync(file)) return false
  const pid = Number(readFileSync(file, 'utf8'))
  rmSync(file)
  const isThere = () => spawnSync('kill', ['-0', String(pid)]).status === 0
  spawnSync('kill', ['-TERM', String(pid)])
  for (let tries = 0; tries < 300 && isThere(); tries++) spawnSync('sleep', ['0.1'])
  if (isThere()) fail(`${key} does not end`)
  return true
}

/** Words of `key`, with its settings, once it answers: what a person waits for before the next line. */
function awaitHealth(env) {
  const url = `http://127.0.0.1:${env.ERRATA_PORT ?? 9000}/health`
  const ask = ['--silent', '--fail', '--retry', '60', '--retry-delay', '1', '--retry-all-errors', url]
  if (spawnSync('curl', ask).status !== 0) fail(`no answer at ${url}`)
}

const asUser = (user, words) => ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...words]

function assignments(text) {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.split('=', 1)[0], line.replace(/^\w+=/, '').replace(/^"(.*)"$/, '$1')]),
  )
}

function systemctl([verb, ...rest]) {
  if (verb === 'daemon-reload') return 0
  const service = rest.find((word) => !word.startsWith('-'))
  const file = `/etc/systemd/system/${service}.service`
  if (!existsSync(file)) fail(`no unit ${service}`)
  if (verb === 'stop' || (verb === 'disable' && rest.includes('--now'))) {
    end(service)
    return 0
  }
  if (verb !== 'start' && !(verb === 'enable' && rest.includes('--now')) && verb !== 'restart')
    fail(`systemctl ${verb}`)
  if (verb === 'restart') end(service)
  const text = readFileSync(file, 'utf8')
  const said = (key) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value)
  const [user] = said('User')
  const settings = assignments(said('Environment').join('\n').replaceAll('%S', '/var/lib'))
  const [extra = ''] = said('EnvironmentFile').map((path) => path.replace(/^-/, ''))
  if (existsSync(extra)) Object.assign(settings, assignments(readFileSync(extra, 'utf8')))
  for (const directory of said('StateDirectory'))
    if (
      run('install', [
        '-d',
        '-o',
        user,
        '-g',
        user,
        '-m',
        said('StateDirectoryMode')[0],
        `/var/lib/${directory}`,
      ]) !== 0
    )
      return 1
  const [start = ''] = said('ExecStart')
  begin(service, asUser(user, start.replace('/usr/bin/node', NODE).split(' ')), {
    ...settings,
    PATH: process.env.PATH,
  })
  awaitHealth(settings)
  return 0
}

/** Image of the container: its data directory, its user, and the program it begins. */
const IMAGE = { user: '1000', env: { NODE_ENV: 'production', ERRATA_DATA: '/data', ERRATA_PORT: '9000' } }
const ENTRY = [NODE, '/opt/errata/node_modules/errata/bin/errata.mjs']
const volume = (key) => join(PLACE, 'volumes', key)

/** Directory of what stands before the colon of `-v`: a volume of the image's user, or a path. */
function mounted(from) {
  if (/^[./]/.test(from)) {
    if (!existsSync(from)) fail(`${from} is not there`)
    return resolve(from)
  }
  if (!existsSync(volume(from))) run('install', ['-d', '-o', '1000', '-g', '1000', '-m', '700', volume(from)])
  return volume(from)
}

/** `run`, of podman or docker; what was asked of it stands before the image. */
function container(words, given = {}) {
  const asked = {
    mounts: [],
    env: { ...IMAGE.env, ...given.env },
    entry: ENTRY,
    key: null,
    goesOn: false,
    ...given,
  }
  const rest = [...words]
  const next = () => rest.shift() ?? fail('an argument is missing')
  while (rest[0]?.startsWith('-')) {
    const flag = next()
    if (flag === '-d') asked.goesOn = true
    else if (flag === '--name') asked.key = next()
    else if (flag === '-v') asked.mounts = [...asked.mounts, next()]
    else if (flag === '--entrypoint') asked.entry = [next()]
    else if (flag === '-p' || flag === '--cap-drop') next()
    else if (!['--rm', '--read-only', '--no-deps'].includes(flag)) fail(`unknown: ${flag}`)
  }
  if (next() !== 'errata') fail('another image')
  if (!existsSync(ENTRY[1])) fail('the image was not built')
  const called = rest.length > 0 ? rest : ['serve']
  const lines = asked.mounts.map((mount) => {
    const [from, to] = mount.split(':')
    const source = mounted(from)
    const make = spawnSync('test', ['-d', source]).status === 0 ? 'mkdir -p' : 'touch'
    return `${make} '${to}' && mount --bind '${source}' '${to}'`
  })
  const env = { ...asked.env, PATH: process.env.PATH }
  const program = ['unshare', '--mount', 'bash', '-ec', `${lines.join('\n')}\nexec "$@"`, 'bash']
  const all = [...program, ...asUser(IMAGE.user, [...asked.entry, ...called])]
  if (!asked.goesOn) return run(all[0], all.slice(1), { env, cwd: '/' })
  if (existsSync(join(STATE, `${asked.key}.pid`))) fail(`the name ${asked.key} is taken`)
  writeFileSync(join(STATE, `${asked.key}.data`), mounted(asked.mounts[0].split(':')[0]))
  begin(asked.key, all, env)
  awaitHealth(asked.env)
  return 0
}

function copyOut([from, to]) {
  const [key, path] = from.split(':')
  const data = readFileSync(join(STATE, `${key}.data`), 'utf8')
  cpSync(join(data, path.replace(/^\/data/, '')), to)
  return run('chown', ['1000', to])
}

function podman([verb, ...rest]) {
  if (verb === 'build') {
    const file = rest[rest.indexOf('-f') + 1]
    return existsSync(file) && rest.at(-1) === '.' ? 0 : fail('no Containerfile')
  }
  if (verb === 'run') return container(rest)
  if (verb === 'cp') return copyOut(rest)
  const [first] = rest.filter((word) => !word.startsWith('-'))
  if (verb === 'stop') return end(first) ? 0 : 1
  if (verb === 'rm') {
    const isRunning = existsSync(join(STATE, `${first}.pid`))
    if (isRunning && !rest.includes('-f')) fail(`${first} runs`)
    end(first)
    rmSync(join(STATE, `${first}.data`))
    return 0
  }
  if (verb === 'volume' && rest[0] === 'rm') return removeVolume(rest[1])
  if (verb === 'rmi') return 0
  if (verb === 'exec')
    return container([
      '--entrypoint',
      rest[1],
      '-v',
      `${readFileSync(join(STATE, `${first}.data`), 'utf8')}:/data`,
      'errata',
      ...rest.slice(2),
    ])
  return fail(`podman ${verb}`)
}

function removeVolume(key) {
  if (!existsSync(volume(key))) fail(`no volume ${key}`)
  rmSync(volume(key), { recursive: true })
  return 0
}

/** `compose`, of the one file; its service alone, without the proxy. */
function docker([verb, ...rest]) {
  if (verb === 'volume') return removeVolume(rest[1])
  if (verb !== 'compose' || rest[0] !== '-f' || !existsSync(rest[1])) fail(`docker ${verb} ${rest.join(' ')}`)
  const domain = process.env.ERRATA_DOMAIN
  if (domain === undefined) fail('ERRATA_DOMAIN is not set')
  const given = { mounts: ['errata_data:/data'], env: { ...IMAGE.env, ERRATA_URL: `https://${domain}` } }
  const [what, ...words] = rest.slice(2)
  if (what === 'up') {
    end('compose')
    return container(['-d', '--name', 'compose', 'errata'], given)
  }
  if (what === 'run') return container(words, given)
  if (what === 'cp') return copyOut([words[0].replace('errata:', 'compose:'), words[1]])
  if (what === 'logs') return run('cat', [join(STATE, 'compose.log')])
  if (what !== 'down') fail(`compose ${what}`)
  end('compose')
  if (words.includes('--volumes')) removeVolume('errata_data')
  return 0
}

/** Installing and building is tried in a clean checkout before any test: what it makes is taken from there. */
function npm(words) {
  const repository = join(PLACE, 'repository')
  if (words[0] === 'ci') {
    const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'))
    for (const folder of ['', ...workspaces]) {
      const [from, to] = [join(repository, folder, 'node_modules'), join(folder, 'node_modules')]
      if (existsSync(from) && !existsSync(to)) symlinkSync(from, to)
    }
    return 0
  }
  if (words.join(' ') === 'run build') {
    for (const each of ['protocol', 'relay', 'client', 'server', 'web', 'errata']) {
      const dist = join('packages', each, 'dist')
      if (existsSync(join(repository, dist))) cpSync(join(repository, dist), dist, { recursive: true })
    }
    return 0
  }
  // `.ci/first-start.mjs` is what tries that it builds first.
  if (words[0] === 'start')
    return replaced([NODE, 'packages/errata/bin/errata.mjs', 'serve', ...words.slice(2)])
  const env = { ...process.env, PATH: process.env.MACHINE_NPM_PATH, HOME: process.env.MACHINE_HOME }
  const own = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  return run('nsenter', [`--net=${PLACE}/network-outside`, 'npm', ...words], { env: { ...env, ...own } })
}

const TOOLS = {
  systemctl,
  journalctl: ([, unit]) => run('cat', [join(STATE, `${unit}.log`)]),
  sudo: ([, user, ...words]) => {
    const [program, ...rest] = asUser(user, words)
    return run(program, rest)
  },
  podman,
  docker,
  // The other machine is a folder of this one.
  ssh: ([, ...words]) => run('bash', ['-c', words.join(' ').replace('-C /var/lib', '-C /mnt/new-machine')]),
  npm,
}
const status = TOOLS[name](args)
if (status !== null) process.exit(status)
