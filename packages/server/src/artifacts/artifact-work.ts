/** Work of the artifacts thread, as others ask for it. */
import type { OrgId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { ArtifactQuota } from '#model/artifact-quota.ts'
import type {
  ArtifactFile,
  ArtifactUsage,
  AskedAction,
  Bundle,
  BundleFilter,
  BundlesToRemove,
  FailedUpload,
  FailureFilter,
  HeldArtifacts,
  NamedAction,
  NewFailure,
  ReleaseArtifacts,
  ReleaseFile,
  ReleaseFileFilter,
  UploadKind,
  UploadPlace,
} from '#ports/artifacts.ts'
import type { ReadScope } from '#ports/scope.ts'

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
  /** File name of a debug file. */
  readonly name: string
  readonly quota: ArtifactQuota
}

/** Named file for a release, sent as the body of a form by older clients. */
export interface ReleaseFileUpload extends UploadPlace, ChunkRequest {
  readonly release: string
  readonly quota: ArtifactQuota
}

/** Work of the artifacts thread. */
export interface Artifacts {
  /** Unpacks pieces, checks their hashes and keeps them for their organisation. */
  putChunks(org: OrgId, request: ChunkRequest): Promise<Result<null>>
  assemble(assembly: Assembly): Promise<AssembleAnswer>
  putReleaseFile(upload: ReleaseFileUpload): Promise<Result<ReleaseFile>>
  /** Keeps the file of a form as a debug file. */
  putDebugFile(upload: Omit<ReleaseFileUpload, 'release'>): Promise<Result<DebugFile>>
  /** Returns the hashes that no debug file of the organisation has. */
  unknownFiles(org: OrgId, sha1s: readonly string[]): Promise<readonly string[]>
  /** Names actions as `ArtifactIndex.actions` does, for projects the viewer may read. */
  actions(scope: ReadScope, asked: readonly AskedAction[]): Promise<readonly (NamedAction | null)[]>
  bundles(scope: ReadScope, filter: BundleFilter): Promise<readonly Bundle[]>
  files(scope: ReadScope, bundle: number, limit: number): Promise<readonly ArtifactFile[] | null>
  ofReleases(scope: ReadScope, releases: readonly string[]): Promise<readonly ReleaseArtifacts[]>
  releaseFiles(scope: ReadScope, filter: ReleaseFileFilter): Promise<readonly ReleaseFile[]>
  failures(scope: ReadScope, filter: FailureFilter): Promise<readonly FailedUpload[]>
  usage(org: OrgId): Promise<ArtifactUsage>
  fail(failure: NewFailure): Promise<void>
  /** Frames were resolved with these maps: told at most once an hour a map. */
  noteUsed(org: OrgId, mapKeys: readonly string[]): Promise<void>
  /** Returns the bundles that the viewer may read. */
  bundlesOf(scope: ReadScope, ids: readonly number[]): Promise<readonly number[]>
  held(): Promise<HeldArtifacts>
  /** Answers how many bundles are gone. */
  remove(org: OrgId, which: BundlesToRemove): Promise<number>
  /** Pieces that no upload was made of within their time; answers how many went. */
  removeOldChunks(): Promise<number>
}

/** A file for another platform than JavaScript, kept until it is read. */
export interface DebugFile {
  readonly sha1: string
  readonly name: string
  readonly bytes: number
}
