import { relative } from 'node:path'
import { readWords, type Subcommand, textOption, UsageError } from '../command-line.ts'
import { buildAddress } from './address.ts'
import type { CoveredFile } from './built-file.ts'
import { type BundleOptions, bundlesOf, makeBundle } from './bundles.ts'
import { findScripts } from './find-scripts.ts'
import { prepareBuild } from './prepare.ts'
import { prove, requireProject } from './proof.ts'
import { isGood, type Outcome, reportJson, reportText, type SentBundle } from './report.ts'
import { findServerActions } from './server-actions.ts'
import { ServerCalls } from './server-calls.ts'
import { type BuildName, buildNameFrom, type Target, targetFrom } from './target.ts'
import { createRelease, Uploads } from './upload.ts'

const TEXTS = ['url', 'token', 'org', 'project', 'release', 'dist', 'url-prefix', 'wait'] as const
const FLAGS = ['no-inject', 'dry-run', 'json'] as const
const OPTIONS = Object.fromEntries([
  ...TEXTS.map((name) => [name, { type: 'string' as const }]),
  ...FLAGS.map((name) => [name, { type: 'boolean' as const }]),
])
const WAIT_SECONDS = 180

export const uploadBuildCommand: Subcommand = {
  name: ['upload-build'],
  summary: 'uploads the source maps of a build, and checks that they resolve',
  help: `errata upload-build DIR [--url URL] [--token TOKEN] [--org SLUG] [--project SLUG] [--release NAME] [--dist NAME]
                    [--url-prefix PREFIX] [--no-inject] [--dry-run] [--wait SECONDS] [--json]

Finds the scripts of a build folder and their source maps (Next.js, Vite, Rollup, esbuild, webpack, Turbopack), puts a
debug ID into those without one, uploads them, and has the server resolve one position of each. Run it after the build and
before you deploy: the files that it changed are the ones to deploy. A second run changes and sends nothing. Server
actions of Next.js are named by file and export from then on.
Ends with 1 unless everything that has a source map resolves.

  --url --token --org --project   default SENTRY_URL, SENTRY_AUTH_TOKEN, SENTRY_ORG, SENTRY_PROJECT. A token that
                   begins with sntrys_ carries address and organisation. Its scope is org:ci.
  --release --dist default SENTRY_RELEASE, SENTRY_DIST. The release is created if it isn't there. Not needed with debug IDs
  --url-prefix     where the folder is served, such as ~/assets; default ~ and, for .next, ~/_next
  --no-inject      changes no file: those without a debug ID are found by release and address
  --dry-run        changes and sends nothing; needs no token
  --wait           how long the server may take to make maps ready; default ${WAIT_SECONDS}`,
  async run(args) {
    const { values, words } = readWords(args, OPTIONS)
    const [directory, ...others] = words
    if (directory === undefined || others.length > 0)
      throw new UsageError('name one folder: the output of the build')
    const target = values['dry-run'] === true ? null : targetFrom(values, process.env)
    const outcome = await uploadBuild({
      ...{ directory, target, name: buildNameFrom(values, process.env) },
      ...{ isInjecting: values['no-inject'] !== true, prefix: textOption(values, 'url-prefix') ?? null },
      waitMs: secondsFrom(textOption(values, 'wait')) * 1_000,
    })
    console.log(values.json === true ? reportJson(outcome) : reportText(outcome))
    return isGood(outcome) ? 0 : 1
  },
}

function secondsFrom(text: string | undefined): number {
  const seconds = Number(text ?? WAIT_SECONDS)
  if (!(seconds >= 0 && seconds <= 86_400))
    throw new UsageError(`--wait: "${text}" isn’t a number of seconds`)
  return seconds
}

interface UploadBuildOptions {
  readonly directory: string
  /** `null`: nothing is changed or sent. */
  readonly target: Target | null
  readonly name: BuildName
  readonly isInjecting: boolean
  readonly prefix: string | null
  readonly waitMs: number
}

async function uploadBuild(options: UploadBuildOptions): Promise<Outcome> {
  const { directory, target, name, isInjecting, prefix, waitMs } = options
  const found = await findScripts(directory)
  const calls = target === null ? null : new ServerCalls(target)
  // Before any file is changed: who may not upload is told at once.
  const uploads = target === null || calls === null ? null : await Uploads.open(calls, target, name)
  if (target !== null && calls !== null) await requireProject(calls, target)
  const prepare = { isInjecting, isWriting: target !== null, hasRelease: name.release !== null }
  const files = await prepareBuild(found, prepare)
  const shown = relative(process.cwd(), found.root)
  const outcome = {
    directory: shown === '' || shown.startsWith('..') ? found.root : shown,
    target,
    name,
    files,
  }
  const covered = files.filter((file) => file.state === 'covered')
  if (target === null || calls === null || uploads === null || covered.length === 0)
    return { ...outcome, bundles: [], proofs: [], actions: 0 }
  const place = { root: found.root, target, name, addressOf: buildAddress(found.root, prefix) }
  const actions = await findServerActions(found.root)
  await createRelease(calls, target, name)
  const bundles = await sendAll(covered, uploads, { ...place, actions })
  const proofs = await prove(covered, { ...place, calls, waitMs })
  return { ...outcome, bundles, proofs, actions: Object.keys(actions).length }
}

async function sendAll(
  covered: readonly CoveredFile[],
  uploads: Uploads,
  place: BundleOptions,
): Promise<readonly SentBundle[]> {
  const sent: SentBundle[] = []
  for (const group of await bundlesOf(covered, place.root)) {
    const { actions, ...rest } = place
    const isFirst = sent.length === 0 && actions !== undefined
    const bundle = await makeBundle(group, isFirst ? place : rest)
    const isNew = await uploads.send(bundle)
    sent.push({ sha1: bundle.sha1, files: group.length, bytes: bundle.bytes.length, isNew })
  }
  return sent
}
