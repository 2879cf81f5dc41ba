/**
 * Files that build tools upload (bundles of minified files, source maps, sources), and what is made of them.
 */
import type { OrgId, ProjectId } from '#base/ids.ts'
import type { ArtifactQuota } from '#model/artifact-quota.ts'
import type { ReadScope } from './scope.ts'

/** `bundle`: minified files and maps; `debug_file`: for other platforms, kept until they are read. */
export type UploadKind = 'bundle' | 'debug_file'

export type ArtifactType = 'minified_source' | 'source_map' | 'source' | 'other'

/** A file of a bundle, as its manifest names it. */
export interface ArtifactFile {
  /** Name within the bundle; never a path of this machine. */
  readonly path: string
  readonly type: ArtifactType
  /** `~/static/app.js`, `app:///…` or an absolute address; empty where none was given. */
  readonly url: string
  /** 32 lower-case hex characters. */
  readonly debugId: string | null
  /** Address of its source map as a minified file states it, relative to `url`. */
  readonly mapReference: string | null
  readonly bytes: number
  /** Name of the compiled map of a source map. */
  readonly mapKey: string | null
}

/** A server action as its build names it. */
export interface NamedAction {
  /** Id by which browsers call the action in one build. */
  readonly id: string
  /** File that defines it, from the app's folder: `app/actions.ts`. */
  readonly file: string
  /** Name of the export; empty if the build does not tell. */
  readonly name: string
}

export interface AskedAction {
  readonly project: ProjectId
  readonly release: string | null
  readonly id: string
}

/** Project, release and build that an upload is for. */
export interface UploadPlace {
  readonly orgId: OrgId
  readonly projects: readonly ProjectId[]
  /** `null`: found by debug id alone. */
  readonly release: string | null
  readonly dist: string | null
  readonly by: string
}

export interface NewBundle extends UploadPlace {
  readonly kind: UploadKind
  /** SHA-1 of all of it, in hex. */
  readonly sha1: string
  readonly bytes: number
  /** File name of a debug file; else empty. */
  readonly name: string
  readonly files: readonly ArtifactFile[]
  readonly actions?: readonly NamedAction[]
  readonly uploadedMs: number
}

export interface Bundle {
  readonly id: number
  readonly kind: UploadKind
  readonly name: string
  readonly release: string | null
  readonly dist: string | null
  readonly projects: readonly ProjectId[]
  readonly bytes: number
  readonly fileCount: number
  readonly debugIdCount: number
  /** Number of maps that are ready, waiting to be compiled, and unusable. */
  readonly maps: { readonly ready: number; readonly waiting: number; readonly damaged: number }
  readonly uploadedMs: number
  readonly uploadedBy: string
  /** A frame was resolved with it last, to the hour; `null`: never yet. */
  readonly usedMs: number | null
}

/** An upload that was refused: the tools end without an error, so that nobody else tells. */
export interface FailedUpload {
  readonly id: number
  readonly atMs: number
  readonly projects: readonly ProjectId[]
  readonly release: string | null
  /** Sort of upload, such as "artifact bundle". */
  readonly what: string
  readonly reason: string
  readonly by: string
}

/** State of a source map when a frame asks for it. */
export type MapState =
  | { readonly state: 'ready'; readonly orgId: OrgId; readonly mapKey: string; readonly name: string }
  | { readonly state: 'waiting' }
  | { readonly state: 'damaged'; readonly reason: string }
  /** The file was uploaded without a map. */
  | { readonly state: 'no_map' }

/** Uploads of one release. */
export interface ReleaseArtifacts {
  readonly release: string
  readonly bundles: number
  readonly files: number
  readonly debugIds: number
  readonly bytes: number
  /** The newest upload. */
  readonly uploadedMs: number
  /** Last use of the newest bundle, as in `Bundle`. */
  readonly usedMs: number | null
}

/** Finds maps for the step that resolves frames. Synchronous: it is asked in the middle of that step. */
export interface MapIndex {
  /** Changes whenever an answer may have. */
  version(): number
  /** `null`: no file of the project has it. */
  withDebugId(project: ProjectId, debugId: string): MapState | null
  /**
   * Finds the map of a file that ran: the newest upload that has one of the addresses, earlier addresses
   * first.
   */
  atAddress(project: ProjectId, build: BuildName, addresses: readonly string[]): MapState | null
  /** True where an upload of the release has one of the addresses under another dist, or under none. */
  isInOtherDist(project: ProjectId, build: BuildName, addresses: readonly string[]): boolean
  /** True when any project of the organisation has the debug id. */
  isKnownTo(org: OrgId, debugId: string): boolean
  /** Same as `ArtifactIndex.actions`. */
  actions(asked: readonly AskedAction[]): readonly (NamedAction | null)[]
}

export interface BuildName {
  readonly release: string
  readonly dist: string | null
}

/** A map that is still to be made ready. */
export interface WaitingMap {
  readonly orgId: OrgId
  readonly mapKey: string
  readonly bundle: number
  /** Path of the map in its bundle, and of the file it describes. */
  readonly path: string
  readonly minifiedPath: string | null
}

/** Each method is one transaction. */
export interface ArtifactIndex {
  /** The SHA-1 that names a bundle's bytes; `null` for one that is gone. */
  bundleSha1(bundle: number): string | null
  /** The one with these bytes for this release and dist, where it is there already. */
  bundleOf(
    org: OrgId,
    upload: Pick<NewBundle, 'kind' | 'sha1' | 'release' | 'dist'>,
  ): { readonly id: number } | null
  /** Whether any bundle of the organisation has these bytes. */
  hasBytes(org: OrgId, sha1: string): boolean
  /** Adds a bundle, or its projects to one that exists. Returns its id, and whether it is new. */
  addBundle(bundle: NewBundle): { readonly id: number; readonly isNew: boolean }
  addProjects(bundle: number, projects: readonly ProjectId[]): void
  /**
   * Names actions in the order asked: by that release of the project, else by its newest upload; `null` if
   * neither knows them.
   */
  actions(asked: readonly AskedAction[]): readonly (NamedAction | null)[]
  /** The same once more is the newest one again, with its new time. */
  addFailure(failure: NewFailure): void
  /** Oldest first. */
  waitingMaps(limit: number): readonly WaitingMap[]
  /** It is read now; answers how often it was begun, this time included. */
  mapBegun(org: OrgId, mapKey: string): number
  /** It waits again, as if it had not been begun. */
  mapPutBack(org: OrgId, mapKey: string): void
  /**
   * Stores the result of compiling a map; `problem` if it cannot be used. False if no bundle needs it any
   * more.
   */
  mapDone(
    org: OrgId,
    mapKey: string,
    done: { readonly bytes: number; readonly problem: string | null },
  ): boolean
  noteUsed(org: OrgId, mapKeys: readonly string[], atMs: number): void
  bundles(scope: ReadScope, filter: BundleFilter): readonly Bundle[]
  files(scope: ReadScope, bundle: number, limit: number): readonly ArtifactFile[] | null
  /** Returns uploads of at most `pageRowsMax` releases; releases without any are left out. */
  ofReleases(scope: ReadScope, releases: readonly string[]): readonly ReleaseArtifacts[]
  releaseFiles(
    scope: Pick<ReadScope, 'orgId' | 'projects'>,
    filter: ReleaseFileFilter,
  ): readonly ReleaseFile[]
  /** Newest first: those of no project, and those of one that the viewer may read. */
  failures(scope: ReadScope, filter: FailureFilter): readonly FailedUpload[]
  usage(org: OrgId): ArtifactUsage
  /** Organisations that have bundles, and projects that have bundles or refused uploads. */
  held(): HeldArtifacts
  /** Names of files that should be there: every bundle's bytes, every map that was made ready. */
  names(org: OrgId): { readonly bundles: readonly string[]; readonly maps: readonly string[] }
  /** Takes them out; answers which files nobody names any more. */
  remove(org: OrgId, which: BundlesToRemove): RemovedBundles
}

export type NewFailure = Omit<FailedUpload, 'id'> & { readonly orgId: OrgId }

export interface FailureFilter {
  /** `null`: of all projects that may be read. */
  readonly project: ProjectId | null
  readonly limit: number
}

export interface ArtifactUsage {
  readonly bundles: number
  readonly bytes: number
}

export interface HeldArtifacts {
  readonly organisations: readonly OrgId[]
  readonly projects: readonly { readonly orgId: OrgId; readonly id: ProjectId }[]
}

/** A file of a release, as clients see it that upload by release and address. */
export interface ReleaseFile {
  readonly id: number
  readonly bundle: number
  readonly name: string
  readonly dist: string | null
  readonly mapReference: string | null
  readonly bytes: number
  /** Hash of the bundle that contains it. */
  readonly sha1: string
  /** Files that this bundle has. */
  readonly filesBeside: number
  readonly uploadedMs: number
}

export interface ReleaseFileFilter {
  readonly release: string
  /** `null`: of all projects that may be read. */
  readonly project: ProjectId | null
  /** Matches files of this name and dist only. */
  readonly name?: { readonly name: string; readonly dist: string | null }
  readonly id?: number
  readonly afterId: number
  readonly limit: number
}

export interface BundleFilter {
  readonly project: ProjectId | null
  readonly release: string | null
  /** Matches release, debug id or file name. */
  readonly text: string
  readonly beforeId: number | null
  readonly limit: number
}

export type BundlesToRemove =
  /** Deletes the bundles for the named projects; other projects that use them keep them. */
  | { readonly ids: readonly number[]; readonly projects: readonly ProjectId[] | 'all' }
  /** Deletes a release's bundles for the named projects, as above. */
  | { readonly release: string; readonly projects: readonly ProjectId[] }
  /** Named by the SHA-1 of their bytes. */
  | { readonly bytes: readonly string[] }
  /** Deletes everything of a project, refused uploads included. */
  | { readonly project: ProjectId }
  | { readonly beyond: ArtifactQuota; readonly nowMs: number }

export interface RemovedBundles {
  readonly count: number
  /** SHA-1 of bytes that no bundle has any more. */
  readonly files: readonly string[]
  readonly mapKeys: readonly string[]
}
