/** Runs nginx on blocks of the documents, in a directory of its own and without rights. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** False where nginx or openssl is missing: a test says so and passes by. */
export function hasNginx(): boolean {
  return ['nginx', 'openssl'].every(
    (tool) => spawnSync(tool, [tool === 'nginx' ? '-v' : 'version']).status === 0,
  )
}

export interface Nginx {
  /** Directory of its certificates: `NAME.pem` and `NAME.key` of each. */
  readonly directory: string
  /** Answers what `nginx -t` says of the blocks, which stand in `http`; empty where nothing is wrong. */
  check(blocks: string): Promise<string>
  /** Starts it with the blocks. */
  start(blocks: string): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function openNginx(certificateOf: string): Promise<Nginx> {
  const directory = await mkdtemp(join(tmpdir(), 'errata-nginx-'))
  const running: ChildProcess[] = []
  const subject = ['-subj', `/CN=${certificateOf}`, '-addext', `subjectAltName=DNS:${certificateOf}`]
  const files = ['-keyout', join(directory, 'certificate.key'), '-out', join(directory, 'certificate.pem')]
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    ...files,
  ])
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`)
  const write = async (blocks: string) => {
    const path = join(directory, `nginx-${running.length}.conf`)
    await writeFile(path, configuration(directory, blocks, `nginx-${running.length}.pid`))
    return path
  }
  return {
    directory,
    async check(blocks) {
      const { status, stderr } = spawnSync('nginx', ['-t', '-c', await write(blocks)], { encoding: 'utf8' })
      return status === 0 ? '' : stderr
    },
    async start(blocks) {
      running.push(spawn('nginx', ['-c', await write(blocks), '-g', 'daemon off;'], { stdio: 'ignore' }))
    },
    async [Symbol.asyncDispose]() {
      for (const child of running) await ended(child)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function configuration(directory: string, blocks: string, pid: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `pid ${join(directory, pid)};
error_log ${join(directory, 'error.log')};
events {}
http {
  access_log off;
  ${kinds.map((kind) => `${kind}_temp_path ${join(directory, kind)};`).join('\n  ')}
${blocks}
}
`
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await end
}
