/** Tells Errata of each release through the web API, as the sample shop's build and people do. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { unwrap } from '../local-answers.ts'
import type { StartedErrata } from '../start-errata.ts'
import { artifactBundle, type BundledFile } from './artifact-bundle.ts'
import builds from './builds.json' with { type: 'json' }
import { momentOf, RELEASES, releaseName } from './plan-events.ts'
import { FAILING_PROJECT } from './plan-failures.ts'
import { DEPLOYS, FIRST_RUN, RELEASE_COMMITS, REPOSITORY, RESOLVED_IN } from './release-story.ts'

type Engine = StartedErrata['engine']

export interface DemoOrganisation {
  readonly engine: Engine
  readonly asking: Parameters<Engine['commands']['createToken']>[0]
  /** Token of the build. */
  readonly token: string
  /** Address of this process. */
  readonly url: string
}

/** Something that is told between events. */
export interface DemoStep {
  readonly atMs: number
  run(): Promise<void>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** From the making of a release to its first event. */
const AHEAD_MS = 10 * MINUTE_MS

/** Oldest first. */
export function releaseSteps(to: DemoOrganisation, nowMs: number): readonly DemoStep[] {
  const releasedMs = (index: number) => releaseMs(index, nowMs)
  const told = RELEASES.map((_, index) => ({
    atMs: releasedMs(index),
    run: () => tellRelease(to, { index, atMs: releasedMs(index) }),
  }))
  const resolved = { atMs: resolvedMs(nowMs), run: () => resolve(to) }
  return [...told, resolved].sort((a, b) => a.atMs - b.atMs)
}

function releaseMs(index: number, nowMs: number): number {
  return momentOf(RELEASES[index]?.[0] ?? 0, nowMs) - AHEAD_MS
}

/** When the issues of `RESOLVED_IN` are resolved. */
export function resolvedMs(nowMs: number): number {
  return releaseMs(RESOLVED_IN.release, nowMs) + RESOLVED_IN.afterHours * HOUR_MS
}

interface Told {
  readonly index: number
  readonly atMs: number
}

async function tellRelease(to: DemoOrganisation, { index, atMs }: Told): Promise<void> {
  const time = (ms: number) => new Date(ms).toISOString()
  const version = releaseName(index)
  const commits = (RELEASE_COMMITS[index] ?? []).map(({ id, message, author, hoursBefore, patch_set }) => ({
    ...{ id, message, patch_set, repository: REPOSITORY },
    ...{ author_name: author.name, author_email: author.email },
    timestamp: time(atMs - hoursBefore * HOUR_MS),
  }))
  const release = { version, projects: [FAILING_PROJECT], ref: 'main', dateReleased: time(atMs), commits }
  await call(to, 'releases/', JSON.stringify(release))
  await upload(to, { index, version })
  for (const [at, { environment, name, afterMinutes, tookMinutes }] of DEPLOYS.entries()) {
    const run = FIRST_RUN + index * DEPLOYS.length + at
    const finishedMs = atMs + afterMinutes * MINUTE_MS
    const deploy = {
      ...{ environment, name: `${name} ${run}`, url: `https://ci.marlowfinch.example/runs/${run}` },
      ...{ dateStarted: time(finishedMs - tookMinutes * MINUTE_MS), dateFinished: time(finishedMs) },
    }
    await call(to, `releases/${encodeURIComponent(version)}/deploys/`, JSON.stringify(deploy))
  }
}

/** The reviews of the shop are built apart, and nobody uploads their maps: a stack that stays as it ran. */
const NOT_UPLOADED = 'reviews'

async function upload(
  to: DemoOrganisation,
  { index, version }: { readonly index: number; readonly version: string },
): Promise<void> {
  for (const file of builds[index]?.files ?? []) {
    if (file.name === NOT_UPLOADED) continue
    const bundle = artifactBundle(bundledFiles(file))
    const checksum = createHash('sha1').update(bundle).digest('hex')
    const form = new FormData()
    form.append('file', new Blob([bundle]), checksum)
    await call(to, 'chunk-upload/', form)
    const assembly = { checksum, chunks: [checksum], projects: [FAILING_PROJECT], version }
    await call(to, 'artifactbundle/assemble/', JSON.stringify(assembly))
  }
  await mapsReady(to)
}

interface BuiltFile {
  readonly name: string
  readonly debugId: string
  readonly address: string
  readonly code: string
  readonly map: string
}

function bundledFiles({
  name,
  debugId,
  address,
  code,
  map,
}: BuiltFile): Readonly<Record<string, BundledFile>> {
  const url = `~${address.replace(/^(?:https:\/\/[^/]+|app:\/\/)/, '')}`
  const headers = { 'debug-id': debugId }
  return {
    [`files/${name}.js`]: {
      ...{ type: 'minified_source', url, text: code },
      headers: { ...headers, sourcemap: `${url.split('/').at(-1)}.map` },
    },
    [`files/${name}.js.map`]: { type: 'source_map', url: `${url}.map`, headers, text: map },
  }
}

const TRIES = 200
const PAUSE_MS = 25

/** Events that come before are resolved later: here each is shown as it would be after a while. */
async function mapsReady({ engine, asking }: DemoOrganisation): Promise<void> {
  await until('the source maps', async () => {
    const view = await engine.queries.sourceMaps(asking.scope, FAILING_PROJECT, { text: '', beforeId: null })
    return view?.bundles.every(({ maps }) => maps.waiting === 0) === true
  })
}

/** Once its events are stored. */
async function resolve({ engine, asking }: DemoOrganisation): Promise<void> {
  const within = { how: 'release', release: releaseName(RESOLVED_IN.release) } as const
  for (const query of RESOLVED_IN.queries) {
    await until(`an issue of ${query}`, async () => {
      const selection = { query: `is:unresolved ${query}`, projects: [FAILING_PROJECT] }
      return unwrap(await engine.commands.run('resolveIssues', asking, { selection, within })).length > 0
    })
  }
}

/** Asks again and again, for about five seconds. */
export async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    if (await isDone()) return
    await pause(PAUSE_MS)
  }
  throw new Error(`${what} did not appear`)
}

const CALL_MS = 15_000

/** Sends a body to a call below the organisation, as the build. */
export async function call({ asking, token, url }: DemoOrganisation, path: string, body: string | FormData) {
  const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const target = new URL(`/api/0/organizations/${asking.scope.orgSlug}/${path}`, url)
  const answer = await fetch(target, {
    ...{ method: 'POST', body, headers: { ...json, authorization: `Bearer ${token}` } },
    signal: AbortSignal.timeout(CALL_MS),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
}
