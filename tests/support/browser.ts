/**
 * A real browser, the same one wherever it runs: the Chromium of an npm package, without a window. A system's Chromium
 * draws a window for each context, which takes a second of a processor that the package's takes a sixth of (two cores,
 * 2026-11-23); it is for where the package has none. `CHROMIUM_PATH` names another to try.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** Platform that the package's browser is built for. */
const PACKAGED = 'linux-x64'

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

export async function launchBrowser(): Promise<Browser> {
  const isPackaged = `${process.platform}-${process.arch}` === PACKAGED
  const other = process.env.CHROMIUM_PATH || (isPackaged ? undefined : SYSTEM.find(existsSync))
  if (other !== undefined) return chromium.launch({ executablePath: other, args: FLAGS })
  return chromium.launch({ ...(await packagedChromium()), args: FLAGS })
}

/** Patience while another test file unpacks the browser. */
const UNPACKING_MS_MAX = 120_000

async function packagedChromium() {
  const folder = await unpackedChromium(tmpdir())
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return { executablePath: join(folder, 'chromium'), env: { ...env, ...environmentOf(folder) } }
}

function environmentOf(folder: string) {
  return {
    LD_LIBRARY_PATH: [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH ?? ''].join(':'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  }
}

/**
 * Returns the folder of the package's browser and the libraries it needs, unpacked once for all checkouts that have the same
 * package. What is there under its name has run: it is unpacked beside and renamed, so a copy that was cut short, by a kill or
 * a full disk, is never taken for a browser.
 */
export function unpackedChromium(parent: string): Promise<string> {
  // Waiting for the lock of others stops this process: within it, whoever comes later waits for the first.
  const known = UNPACKED.get(parent) ?? findUnpacked(parent)
  UNPACKED.set(parent, known)
  return known
}

const UNPACKED = new Map<string, Promise<string>>()

async function findUnpacked(parent: string): Promise<string> {
  const packaged = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
  const folder = join(parent, `errata-browser-${await contentKey(packaged)}`)
  if (existsSync(folder)) return folder
  return alone(`${folder}.lock`, async () => {
    if (existsSync(folder)) return folder
    const beside = await mkdtemp(`${folder}-unpacked-`)
    try {
      await unpackInto(beside, packaged)
      await ownFonts(join(beside, 'fonts', 'fonts.conf'), join(folder, 'fonts'))
      await run(join(beside, 'chromium'), ['--version'], {
        env: { ...process.env, ...environmentOf(beside) },
      })
      await rename(beside, folder)
    } finally {
      await rm(beside, { recursive: true, force: true })
    }
    return folder
  })
}

const run = promisify(execFile)

/** Digest of the names and bytes of the archives. */
async function contentKey(packaged: string): Promise<string> {
  const archives = join(packaged, 'bin')
  const hash = createHash('sha256')
  for (const name of readdirSync(archives).sort()) {
    hash.update(`${name}\n`)
    for await (const bytes of createReadStream(join(archives, name))) hash.update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * The package unpacks into the temporary directory, so in a process that has one of its own. By the variable it decides which
 * libraries to unpack; any of its names will do. Not with the flags it proposes: they are for a place where one process is all
 * there is, in which pages take each other down, and they turn off what browsers check between origins.
 */
async function unpackInto(directory: string, packaged: string): Promise<void> {
  await mkdir(join(directory, 'al2023', 'lib'), { recursive: true })
  const module = JSON.stringify(pathToFileURL(join(packaged, 'build', 'index.js')).href)
  const script = `const { default: packaged } = await import(${module}); await packaged.executablePath()`
  const env = { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  await run(process.execPath, ['--input-type=module', '--eval', script], { env })
}

/** The package's fonts name the folder that they are in where it is always the same. */
async function ownFonts(path: string, fonts: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replaceAll('/tmp/fonts', fonts))
}

/** Runs `work` in one process at a time: unpacking takes a processor some seconds. */
async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(path, { timeout: UNPACKING_MS_MAX })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return await work()
  } finally {
    lock.close()
  }
}
