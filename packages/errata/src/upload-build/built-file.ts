/** Script of a build, before anything is sent. */
import type { Probe } from './probe.ts'

export type NotCovered =
  | 'no_map'
  | 'map_missing'
  | 'map_elsewhere'
  | 'map_broken'
  | 'map_shared'
  | 'id_shared'
  | 'no_id_no_release'
  | 'not_written'

/** Script without known problems. */
export interface CoveredFile {
  readonly state: 'covered'
  readonly file: string
  /** Below the root; `null` for a map inside of the script. */
  readonly mapFile: string | null
  readonly debugId: string | null
  /** Whether this run put the id into it, or would. */
  readonly isInjected: boolean
  readonly probe: Probe
}

/** The bytes of a covered file again, at another place: Next copies its server so. */
export interface CopiedFile {
  readonly state: 'copy'
  readonly file: string
  readonly of: string
  readonly debugId: string
}

/** Nothing in it comes from a source. */
export interface UnmappedFile {
  readonly state: 'unmapped'
  readonly file: string
}

export interface UncoveredFile {
  readonly state: 'uncovered'
  readonly file: string
  readonly why: NotCovered
  /** Detail such as the map it names, or what is wrong with it; may be empty. */
  readonly detail: string
}

export type BuiltFile = CoveredFile | CopiedFile | UnmappedFile | UncoveredFile

interface Words {
  readonly title: string
  readonly next: string
  /** False where a script is simply one that no map belongs to. */
  readonly isFailure: boolean
}

const REBUILD = 'Build again, and don’t change or move files before the upload.'

export const NOT_COVERED: Readonly<Record<NotCovered, Words>> = {
  no_map: {
    title: 'No source map',
    next: 'Turn source maps on if this file is your code: build.sourcemap in Vite, devtool in webpack, --sourcemap in esbuild, productionBrowserSourceMaps in Next.js.',
    isFailure: false,
  },
  map_missing: {
    title: 'Its map isn’t there',
    next: 'Upload before maps are deleted or left out of a copy.',
    isFailure: false,
  },
  map_elsewhere: {
    title: 'Its map is at another address',
    next: 'Put the map beside the script. Nothing is downloaded.',
    isFailure: false,
  },
  map_broken: { title: 'Map damaged', next: REBUILD, isFailure: true },
  map_shared: {
    title: 'Its map belongs to another file',
    next: 'Let the bundler write one map for each script.',
    isFailure: true,
  },
  id_shared: {
    title: 'Another file has its debug ID',
    next: 'Build again into an empty folder, without the ID of a package in your script.',
    isFailure: true,
  },
  no_id_no_release: {
    title: 'No debug ID and no release',
    next: 'Leave --no-inject out, or name the --release.',
    isFailure: true,
  },
  not_written: {
    title: 'Can’t be written',
    next: 'Run this where the build may be changed, before it is deployed.',
    isFailure: true,
  },
}
