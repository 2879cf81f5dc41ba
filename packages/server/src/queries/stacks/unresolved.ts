/** Why a frame shows what ran instead of what was written, in words, and what to do: for pages and the web API alike. */
import type { Unresolved } from '#model/map-lookup.ts'
import type { UnresolvedText } from '../stack-types.ts'

/** Names used in words and commands. */
export interface UnresolvedPlace {
  /** Address of this installation, as in `SENTRY_URL`. */
  readonly url: string
  readonly org: string
  readonly project: string
  readonly release: string | null
  readonly dist: string | null
  readonly debugId: string | null
  /** The file that ran, as the event names it. */
  readonly file: string
}

interface Words {
  readonly title: string
  readonly cause: (place: UnresolvedPlace) => string
  readonly next: string
  readonly command: ((place: UnresolvedPlace) => string) | null
}

/** Every cause, those that people can do most about first. */
export const UNRESOLVED = {
  no_map_for_debug_id: {
    title: 'No map uploaded for this debug ID',
    cause: ({ debugId }) => `No upload to this project has the debug ID ${idText(debugId)}.`,
    next: 'Upload the build that is deployed. Building again creates new debug IDs. errata upload-build also checks that it resolves.',
    command: uploadCommand,
  },
  no_artifact_matches: {
    title: 'No artifact of this release matches this address',
    cause: ({ release, dist, file }) =>
      `The event has no debug ID for this file, and release ${release ?? ''}${dist === null ? '' : `, dist ${dist},`} has no file at ${addressText(file)}.`,
    next: 'Inject debug IDs before you upload and deploy, or upload under the address that the file is served from.',
    command: (place) => uploadCommand(place, true),
  },
  other_dist: {
    title: 'Uploaded under another dist',
    cause: ({ release, dist, file }) =>
      `Release ${release ?? ''} has a file at ${addressText(file)}, but under another dist: the event has ${dist === null ? 'none' : `dist ${dist}`}.`,
    next: 'Upload under the dist that the SDK sends, or set the same `dist` in both. With debug IDs the dist does not matter.',
    command: (place) => uploadCommand(place, true),
  },
  no_debug_id_no_release: {
    title: 'No debug ID in the event and no release',
    cause: () => 'The event doesn’t say which build or release this file is from.',
    next: 'Inject debug IDs, upload, and deploy the injected files. SDKs send the IDs from version 7.56 on.',
    command: uploadBuild,
  },
  other_project: {
    title: 'Uploaded to another project',
    cause: ({ debugId, project }) =>
      `The map of debug ID ${idText(debugId)} was uploaded, but not to ${project}. Maps are never read across projects.`,
    next: 'Upload it again for this project, and set SENTRY_PROJECT in the job that builds it.',
    command: uploadCommand,
  },
  map_damaged: {
    title: 'Map damaged',
    cause: () => 'The map was uploaded, but it can’t be read.',
    next: 'Build again, check that the .map file is complete JSON, and upload it.',
    command: uploadCommand,
  },
  map_pending: {
    title: 'Map being processed',
    cause: () => 'The map was uploaded and is being processed.',
    next: 'Reload in a moment.',
    command: null,
  },
  outside_map: {
    title: 'Position outside the map',
    cause: () => 'The map has nothing at this line and column, so it is likely the map of another build.',
    next: 'Upload the map of the same build as the deployed file.',
    command: uploadCommand,
  },
  no_source_in_map: {
    title: 'Source not in the map',
    cause: () => 'The map has the file, line and column, but not the text of the source.',
    next: 'Turn on sourcesContent in the bundler, or upload from where the sources are: sentry-cli and errata upload-build add them.',
    command: uploadCommand,
  },
} as const satisfies Readonly<Record<Unresolved, Words>>

export const UNRESOLVED_CAUSES: readonly Unresolved[] = Object.keys(UNRESOLVED).filter(isUnresolved)

export function isUnresolved(value: unknown): value is Unresolved {
  return typeof value === 'string' && Object.hasOwn(UNRESOLVED, value)
}

export function unresolvedText(why: Unresolved, place: UnresolvedPlace): UnresolvedText {
  const words: Words = UNRESOLVED[why]
  const { title, next } = words
  return { why, title, cause: words.cause(place), next, command: words.command?.(place) ?? null }
}

/** Usual folder of a build. */
const BUILD = './dist'

function uploadCommand(place: UnresolvedPlace, byAddress = false): string {
  const { url, org, project, release, dist, file } = place
  const prefix = byAddress ? folderOf(file) : null
  return [
    `sentry-cli --url ${quoteForShell(url)} sourcemaps upload`,
    `--org ${quoteForShell(org)} --project ${quoteForShell(project)}`,
    ...buildName({ release, dist }),
    ...(prefix === null ? [] : [`--url-prefix ${quoteForShell(prefix)}`]),
    BUILD,
  ].join(' ')
}

/** Injects and uploads at once, and says whether it resolves: for whoever has no tool that does. */
function uploadBuild({ url, org, project, release, dist }: UnresolvedPlace): string {
  return [
    `npx --yes ${quoteForShell(`${url}/packages/errata.tgz`)} upload-build ${BUILD} --url ${quoteForShell(url)}`,
    `--org ${quoteForShell(org)} --project ${quoteForShell(project)}`,
    ...buildName({ release, dist }),
  ].join(' ')
}

function buildName({ release, dist }: Pick<UnresolvedPlace, 'release' | 'dist'>): readonly string[] {
  if (release === null) return []
  return [`--release ${quoteForShell(release)}`, ...(dist === null ? [] : [`--dist ${quoteForShell(dist)}`])]
}

/** `https://shop.example/assets/app.js` was uploaded under `~/assets/app.js`. */
function addressText(file: string): string {
  return file.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '~').replace(/[?#].*$/, '')
}

/** `~/assets` of `https://shop.example/assets/app.js`; `null` for a file that nobody serves. */
function folderOf(file: string): string | null {
  const address = addressText(file)
  return address.startsWith('~/') ? address.slice(0, address.lastIndexOf('/')) : null
}

/** Writes an id with dashes, as people and tools do. */
function idText(debugId: string | null): string {
  return (debugId ?? '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Quotes text as one word for a shell, whatever is in it. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
