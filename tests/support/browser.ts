/**
 * A real browser, the same one wherever it runs: the Chromium of an npm package, without a window. A system's Chromium
 * draws a window for each context, which takes a second of a processor that the package's takes a sixth of (two cores,
 * 2026-11-23); it is for where the package has none. `CHROMIUM_PATH` names another to try.
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

/**
 * The package unpacks its browser and the libraries it needs into the temporary directory. Not with the flags it
 * proposes: they are for a place where one process is all there is, in which pages take each other down, and they turn
 * off what browsers check between origins.
 */
async function packagedChromium() {
  // It decides by this variable which libraries to unpack; any of its names will do.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  await mkdir(join(tmpdir(), 'al2023', 'lib'), { recursive: true })
  const executablePath = await alone(() => packaged.executablePath())
  const libraries = join(tmpdir(), 'al2023', 'lib')
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return {
    executablePath,
    env: {
      ...env,
      LD_LIBRARY_PATH: [libraries, process.env.LD_LIBRARY_PATH ?? ''].join(':'),
      FONTCONFIG_PATH: join(tmpdir(), 'fonts'),
    },
  }
}

/**
 * Runs `work` in one process at a time: the package takes a file that another one is still writing for a
 * browser.
 */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(join(tmpdir(), 'errata-browser.lock'), { timeout: UNPACKING_MS_MAX })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return await work()
  } finally {
    lock.close()
  }
}
