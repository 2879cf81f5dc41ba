/** The web app's front door: what the `errata` command hands to the HTTP server. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine, PageHandler } from '@errata/server/http'
import { readHandbook } from '#handbook/handbook.server.ts'
import { paths } from '#parts/paths.ts'
import { readAssets } from '#wire/assets.ts'
import { setBasePath } from '#wire/base-path.ts'
import { readPackages } from '#wire/packages.ts'
import { createPageHandler } from '#wire/page-handler.ts'
import { actions, handlers, loaders } from './features.server.ts'
import { frameParts } from './frame-parts.ts'
import { missingAt } from './missing.server.ts'
import { pages } from './pages.ts'
import { paletteHandler } from './palette.server.ts'

export { reservedSegments } from './features.server.ts'

export interface WebAppOptions {
  readonly engine: Engine
  /** Directory of the client build: `manifest.json` and `assets/`. */
  readonly clientDirectory: string
  /** Directory of the packages that this installation serves. */
  readonly packageDirectory?: string
  /** Directory of the built handbook. */
  readonly handbookDirectory?: string
  /** Names this build to the pages it serves; follows from the client build unless given. */
  readonly build?: string
  readonly now?: () => number
}

/** Answers every page of the app, its data, its actions and its assets. */
export function createWebApp({
  engine,
  clientDirectory,
  packageDirectory,
  handbookDirectory,
  build,
  now,
}: WebAppOptions): PageHandler {
  setBasePath(engine.publicAddress.basePath)
  const assets = readAssets(clientDirectory)
  const documents = handbookDirectory === undefined ? null : readHandbook(handbookDirectory, assets, pages)
  const palette = paletteHandler(documents?.find ?? null)
  const placed = handlers.map((handler) => (handler.path === palette.path ? palette : handler))
  return createPageHandler({
    engine,
    build: build ?? buildOf(clientDirectory),
    assets,
    ...(packageDirectory === undefined ? {} : { packages: readPackages(packageDirectory) }),
    documents,
    tables: {
      pages,
      loaders,
      actions,
      handlers: placed,
      frame: frameParts,
      digestPath: paths.digest,
      missingAt,
    },
    ...(now === undefined ? {} : { now }),
  })
}

/** The manifest names every file by its content, so its hash changes when any of them does. */
function buildOf(clientDirectory: string): string {
  const manifest = readFileSync(join(clientDirectory, 'manifest.json'))
  return createHash('sha256').update(manifest).digest('hex').slice(0, 12)
}
