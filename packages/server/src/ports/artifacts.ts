/** What build tools upload (bundles of minified files, source maps, sources) and what is made of it. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
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
  /** Of a minified file: where it says its map is, relative to `url`. */
  readonly mapReference: string | null
  readonly bytes: number
  /** Of a source map: names what is made of it. */
  readonly mapKey: string | null
}

/** What an upload is for. */
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
  /** For debug files; else empty. */
  readonly name: string
  readonly files: readonly ArtifactFile[]
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
  /** Of its maps: made ready, still to be made, unusable. */
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
  /** Such as "artifact bundle". */
  readonly what: string
  readonly reason: string
  readonly by: string
}

/** What is known of a map when a frame asks for it. */
export type MapState =
  | { readonly state: 'ready'; readonly orgId: OrgId; readonly mapKey: string; readonly name: string }
  | { readonly state: 'waiting' }
  | { readonly state: 'damaged'; readonly reason: string }
  /** The file was uploaded without a map. */
  | { readonly state: 'no_map' }

/** For whoever resolves frames: asked in the middle of a step, so it answers at once. */
export interface MapIndex {
  /** Changes whenever an answer may have. */
  version(): number
  /** `null`: no file of the project has it. */
  withDebugId(project: ProjectId, debugId: string): MapState | null
  /** Of a file that ran: the newest upload that has one of the addresses, the first of them first. */
  atAddress(project: ProjectId, build: BuildName, addresses: readonly string[]): MapState | null
  /** True when another project of the same organisation has the debug id. */
  isElsewhere(project: ProjectId, debugId: string): boolean
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

export interface Quota {
  readonly bundlesMax: number
  readonly bytesMax: number
  readonly unusedDaysMax: number
}

/** Each method is one transaction. */
export interface ArtifactIndex {
  /** The one with these bytes for this release and dist, where it is there already. */
  /** The SHA-1 that names a bundle's bytes; `null` for one that is gone. */
  bundleSha1(bundle: number): string | null
  bundleOf(org: OrgId, upload: Pick<NewBundle, 'sha1' | 'release' | 'dist'>): { readonly id: number } | null
  /** One that is there already takes the projects as well. Answers its id, and whether it is new. */
  addBundle(bundle: NewBundle): { readonly id: number; readonly isNew: boolean }
  addProjects(bundle: number, projects: readonly ProjectId[]): void
  addFailure(failure: Omit<FailedUpload, 'id'> & { readonly orgId: OrgId }): void
  /** Oldest first. */
  waitingMaps(limit: number): readonly WaitingMap[]
  /** What became of a map; `problem` where it cannot be used. */
  mapDone(org: OrgId, mapKey: string, done: { readonly bytes: number; readonly problem: string | null }): void
  noteUsed(mapKeys: readonly string[], atMs: number): void
  bundles(scope: ReadScope, filter: BundleFilter): readonly Bundle[]
  files(scope: ReadScope, bundle: number, limit: number): readonly ArtifactFile[] | null
  failures(scope: ReadScope, limit: number): readonly FailedUpload[]
  usage(org: OrgId): { readonly bundles: number; readonly bytes: number }
  /** Takes them out; answers what of the blobs nobody names any more. */
  remove(org: OrgId, which: BundlesToRemove): RemovedBundles
}

export interface BundleFilter {
  readonly project: ProjectId | null
  readonly release: string | null
  /** Of release, debug id or file name. */
  readonly text: string
  readonly beforeId: number | null
  readonly limit: number
}

export type BundlesToRemove =
  | { readonly ids: readonly number[] }
  | { readonly release: string }
  | { readonly project: ProjectId }
  | { readonly beyond: Quota; readonly nowMs: number }

export interface RemovedBundles {
  readonly bundles: readonly { readonly id: number; readonly sha1: string }[]
  readonly mapKeys: readonly string[]
}

/** A request with pieces, each a part of a form named by the SHA-1 of its bytes: `file`, or `file_gzip`. */
export interface ChunkRequest {
  readonly contentType: string
  readonly body: Uint8Array
}

export type AssembleAnswer =
  | { readonly state: 'not_found'; readonly missing: readonly string[] }
  | { readonly state: 'ok'; readonly detail: string | null }
  | { readonly state: 'error'; readonly detail: string }

export interface Assembly extends UploadPlace {
  readonly kind: UploadKind
  /** SHA-1 of the whole file and of its pieces, in order; hex. */
  readonly sha1: string
  readonly chunks: readonly string[]
  /** For debug files. */
  readonly name: string
}

/** What the thread does that holds the artifacts. */
export interface Artifacts {
  /** Unpacks pieces, checks their hashes and keeps them for their organisation. */
  putChunks(org: OrgId, request: ChunkRequest): Promise<Result<null>>
  assemble(assembly: Assembly): Promise<AssembleAnswer>
  bundles(scope: ReadScope, filter: BundleFilter): Promise<readonly Bundle[]>
  files(scope: ReadScope, bundle: number, limit: number): Promise<readonly ArtifactFile[] | null>
  failures(scope: ReadScope, limit: number): Promise<readonly FailedUpload[]>
  usage(org: OrgId): Promise<{ readonly bundles: number; readonly bytes: number }>
  fail(failure: Omit<FailedUpload, 'id'> & { readonly orgId: OrgId }): Promise<void>
  /** Those of them that the viewer may read. */
  bundlesOf(scope: ReadScope, ids: readonly number[]): Promise<readonly number[]>
  remove(org: OrgId, which: BundlesToRemove): Promise<number>
}
