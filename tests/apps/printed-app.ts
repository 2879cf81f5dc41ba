/** An app that gets what Errata prints for its framework, file by file as it stands, and is built and started by the printed lines. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Snippet } from '../../packages/web/src/parts/relay-snippets.ts'
import { waitFor } from '../support/wait-for.ts'
import { type App, ran, type ToolOptions } from './app.ts'

/** The first build of a Go program compiles its library, too. */
const READY_MS_MAX = 240_000

/**
 * Labels that say a snippet belongs into an existing file, each with the lines that stand before it there.
 */
const PLACES: readonly (readonly [label: RegExp, before: RegExp])[] = [
  [/, in Sentry\.init$/, /Sentry\.init\(\{\n/],
  [/, in defineConfig,/, /defineConfig\(\{\n/],
  [/, one more route$/, /(?=[ \t]*\/\/ one more route)/],
  [/, first lines$/, /^/],
]

/** True if a snippet is lines for a shell. */
export function isTerminal({ file }: Snippet): boolean {
  return /^terminal|^environment/.test(file)
}

/** The app's own address, as it is printed. */
const ADDRESS = 'https://app.example.com'

/**
 * Writes what is no command, each into the file that its label names, with the address of the app; fails for a place
 * that is not there.
 */
export function mount(app: App, snippets: readonly Snippet[], url: string): void {
  for (const { file, text: printed } of snippets.filter((each) => !isTerminal(each))) {
    const text = printed.replaceAll(ADDRESS, url)
    const path = join(app.root, file.replace(/, .*$/, ''))
    const [, before] = PLACES.find(([label]) => label.test(file)) ?? []
    if (before === undefined) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      continue
    }
    const there = readFileSync(path, 'utf8')
    const at = before.exec(there)
    if (at === null) throw new Error(`${file}: no place for it in\n${there}`)
    const end = at.index + at[0].length
    writeFileSync(path, `${there.slice(0, end)}${text}\n${there.slice(end)}`)
  }
}

/** Environment for a shell that runs printed lines: the Node that runs the tests comes first in its path. */
function environment(env: ToolOptions['env']): Readonly<Record<string, string | undefined>> {
  const PATH = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  return { PATH, HOME: process.env.HOME, CI: '1', NO_COLOR: '1', ...TELEMETRY, ...env }
}

/** Frameworks that would tell their makers of each build. */
const TELEMETRY = {
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
}

/** Runs lines as a shell does, in the app's folder. */
export function shell({ root }: App, lines: string, env: ToolOptions['env'] = {}): Promise<string> {
  return ran('bash', ['-ec', lines], { cwd: root, env: environment(env) })
}

/** Puts a package of the installation where `npm install ADDRESS` puts it: it has no dependencies. */
export async function installPackage(app: App, address: string): Promise<void> {
  const name = /packages\/(\w+)\.tgz$/.exec(address)?.[1] ?? ''
  const to = join(app.root, 'node_modules/@errata', name)
  mkdirSync(to, { recursive: true })
  await shell(app, `curl --fail --silent ${address} | tar -xz --strip-components 1 -C ${to}`)
}

export interface PrintedApp extends AsyncDisposable {
  readonly url: string
  output(): string
}

/** Starts the app by the printed line, and resolves when it answers. */
export async function startedBy(
  app: App,
  line: string,
  { env = {}, port }: { readonly env?: ToolOptions['env']; readonly port: number },
): Promise<PrintedApp> {
  const url = `http://localhost:${port}`
  const text = line.replaceAll(ADDRESS, url)
  const child = spawn('bash', ['-ec', text], {
    cwd: app.root,
    env: environment({ PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const stop = async () => {
    // The line may have begun others, as npx does: all of its group.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  try {
    await waitFor(`an answer of ${text}`, () => answers(url, () => child.exitCode), READY_MS_MAX)
  } catch (cause) {
    await stop()
    throw new Error(`${text}\n${output}`, { cause })
  }
  return { url, output: () => output, [Symbol.asyncDispose]: stop }
}

async function answers(url: string, exit: () => number | null): Promise<boolean> {
  if (exit() !== null) throw new Error(`ended with ${exit()}`)
  return fetch(url).then(
    async (answer) => (await answer.arrayBuffer()).byteLength >= 0,
    () => false,
  )
}

/** True if the app's own packages have what an `npm install` line asks the registry for. */
export function isInstalled({ root }: App, line: string): boolean {
  const names = line.replace(/^npm install /, '').split(' ')
  return names.every((name) => existsSync(join(root, 'node_modules', name, 'package.json')))
}
