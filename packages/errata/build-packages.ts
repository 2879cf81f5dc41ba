/**
 * Packs what every installation serves at /packages/NAME.tgz, for `npm install` and `npx`: the relay, the client of the
 * web API, and the commands that ask a server. The same sources make the same bytes, so that a lock file's checksum
 * holds until one of them changes.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

interface PackagePlaces {
  /** Root of the repository. */
  readonly root: string
  /** Directory that gets the packages; emptied first. */
  readonly outDir: string
}

type Manifest = Readonly<Record<string, unknown>>

export async function buildPackages({ root, outDir }: PackagePlaces): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  for (const name of ['relay', 'client'] as const) packLibrary(name, { root, outDir })
  await packCommands({ root, outDir })
}

/** Built before, by its own step. */
function packLibrary(name: 'relay' | 'client', { root, outDir }: PackagePlaces): void {
  const folder = join(root, 'packages', name)
  writeFileSync(
    join(outDir, `${name}.tgz`),
    pack([
      manifestFile(forInstalling(readManifest(folder))),
      { path: 'README.md', bytes: readFileSync(join(folder, 'README.md')) },
      ...filesBelow(join(folder, 'dist'), 'dist'),
      licence(root),
    ]),
  )
}

/**
 * Packs the commands as one program without dependencies: nothing else is downloaded, and any Node will do.
 */
async function packCommands({ root, outDir }: PackagePlaces): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'errata-commands-'))
  const conditions = ['errata-source', 'node', 'import', 'module', 'default']
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      resolve: { conditions },
      ssr: { noExternal: true, resolve: { conditions } },
      build: {
        ssr: true,
        outDir: scratch,
        emptyOutDir: true,
        target: 'node20',
        minify: 'oxc',
        rollupOptions: {
          input: { errata: join(root, 'packages/errata/src/remote-cli.ts') },
          output: {
            format: 'esm',
            banner: '#!/usr/bin/env node',
            entryFileNames: '[name].js',
            chunkFileNames: '[name].js',
          },
        },
      },
    })
    const { version, license } = readManifest(join(root, 'packages/errata'))
    const manifest = {
      ...{ name: '@errata/cli', version, license, type: 'module' },
      description: 'The errata command for builds, scripts and agents: it asks an Errata server',
      ...{ bin: { errata: 'dist/errata.js' }, files: ['dist'], engines: { node: '>=20' } },
    }
    const files = filesBelow(scratch, 'dist').map((file) => ({ ...file, isProgram: true }))
    writeFileSync(join(outDir, 'errata.tgz'), pack([manifestFile(manifest), ...files, licence(root)]))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Without what only the repository needs: entries that lead to sources, and what builds them. */
function forInstalling({ scripts: _, devDependencies: __, exports, ...manifest }: Manifest): Manifest {
  const entries = Object.entries(exports as Readonly<Record<string, Readonly<Record<string, string>>>>) // as npm defines it
    .map(([name, { 'errata-source': _source, ...entry }]) => [name, entry] as const)
    .filter(([, entry]) => Object.keys(entry).length > 0)
  return { ...manifest, exports: Object.fromEntries(entries) }
}

interface PackedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly isProgram?: boolean
}

function manifestFile(manifest: Manifest): PackedFile {
  return { path: 'package.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) }
}

function licence(root: string): PackedFile {
  return { path: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')) }
}

function filesBelow(folder: string, prefix: string): readonly PackedFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: `${prefix}${file.slice(folder.length).replaceAll('\\', '/')}`,
      bytes: readFileSync(file),
    }))
}

const BLOCK = 512
/** When npm says that everything it packs was made: its zero is one that every archive program takes. */
const MADE_SECONDS = 499_162_500
const OTHER_SYSTEM = 255
const SYSTEM_AT = 9

/** A gzipped tar archive as npm writes one: all below `package/`, in the order of names, of nobody and one moment. */
function pack(files: readonly PackedFile[]): Buffer {
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const blocks = inOrder.flatMap(({ path, bytes, isProgram = false }) => [
    tarHeader(`package/${path}`, bytes.length, isProgram ? 0o755 : 0o644),
    bytes,
    Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
  ])
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 })
  packed[SYSTEM_AT] = OTHER_SYSTEM // not the name of the system it was packed on
  return packed
}

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html, "ustar Interchange Format" */
function tarHeader(path: string, size: number, mode: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long a name for the archive`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(path, 0)
  header.write(octal(mode, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(MADE_SECONDS, 11), 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
