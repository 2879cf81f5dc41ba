/**
 * A machine of its own for commands that documents print: they run as they stand, as root, with the directories,
 * ports and host names they name, and nothing outside of it changes. Its files are copies, its network is its own;
 * what it has no daemon for (systemd, containers) is done by `machine-tools.mjs` in their place.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../tidy/sources.ts'

const run = promisify(execFile)
const TOOLS = join(ROOT, 'tests/support/machine-tools.mjs')
/** Programs that `machine-tools.mjs` stands in for. */
const STAND_INS = ['systemctl', 'journalctl', 'sudo', 'podman', 'docker', 'ssh', 'npm']
/** Copied or made anew: what commands write outside of the data directory. */
const COPIED = ['/etc']
const EMPTY = ['/var/lib', '/var/log', '/mnt', '/opt', '/run']

const BEGIN = `
set -e
mount --make-rprivate /
touch "$S/network-outside"
mount --bind /proc/self/ns/net "$S/network-outside"
for place in ${COPIED.join(' ')}; do mkdir -p "$S/root$place"; cp -a "$place/." "$S/root$place"; mount --bind "$S/root$place" "$place"; done
for place in ${EMPTY.join(' ')}; do mkdir -p "$S/root$place"; mount --bind "$S/root$place" "$place"; done
# A shell collects the processes whose parents have ended.
# An interface beside loopback, without which no program looks names up.
exec unshare --net bash -ec 'ip link set lo up; ip link add v0 type veth peer name v1
ip address add 192.0.2.1/24 dev v0; ip link set v0 up; ip link set v1 up; echo ready; while :; do sleep 1000 & wait "$!"; done'`

/** Returns what this system lacks for a machine of its own; `null` if nothing. */
export function noMachine(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'not root on Linux'
  const tries = [
    'ip link set lo up',
    'setpriv --version',
    'useradd --help',
    'git --version',
    'curl --version',
  ]
  for (const each of tries)
    if (spawnSync('unshare', ['--mount', '--net', 'bash', '-c', each]).status !== 0) return `no ${each}`
  return null
}

export interface Machine extends AsyncDisposable {
  /** A scratch folder of its root, which is also where its shells begin. */
  readonly home: string
  /** A shell of its root; resolves with all that was printed, fails where a line fails. */
  shell(lines: string, options?: { readonly cwd?: string; readonly timeout?: number }): Promise<string>
}

export async function openMachine(): Promise<Machine> {
  const place = await mkdtemp(join(tmpdir(), 'errata-machine-'))
  await chmod(place, 0o755)
  const [bin, home] = [join(place, 'bin'), join(place, 'home')]
  for (const each of [bin, home]) await mkdir(each)
  await copyFile(process.execPath, join(bin, 'node'))
  await copyFile(TOOLS, join(place, 'tools.mjs'))
  for (const name of STAND_INS) {
    const call = `exec '${bin}/node' '${place}/tools.mjs' ${name} "$@"`
    await writeFile(join(bin, name), `#!/bin/sh\n${call}\n`, { mode: 0o755 })
  }
  await symlink(ROOT, join(place, 'repository'))
  const errata = `exec '${bin}/node' '${ROOT}/packages/errata/bin/errata.mjs' "$@"`
  await writeFile(join(bin, 'errata'), `#!/bin/sh\n${errata}\n`, { mode: 0o755 })
  const child = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', BEGIN],
    { env: { ...process.env, S: place }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await ready(child)
  const [inner = ''] = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ')
  const env = {
    PATH: `${bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    ...{ HOME: home, MACHINE: place, MACHINE_NPM_PATH: process.env.PATH, MACHINE_HOME: process.env.HOME },
  }
  return {
    home,
    async shell(lines, { cwd = home, timeout = 180_000 } = {}) {
      const args = ['--target', inner, '--mount', '--net', '--pid', `--wdns=${cwd}`, 'bash', '--norc', '-c']
      const text = `set -e; exec < /dev/null 2>&1\n${lines}`
      const { stdout } = await run('nsenter', [...args, text], { env, timeout, maxBuffer: 1 << 26 }).catch(
        (cause: unknown) => {
          const said = cause instanceof Error && 'stdout' in cause ? String(cause.stdout) : ''
          throw new Error(`${lines}\n${said.slice(-4000)}`, { cause })
        },
      )
      return stdout
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await rm(place, { recursive: true, force: true })
    },
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the machine ended with ${code}`)))
  })
}
