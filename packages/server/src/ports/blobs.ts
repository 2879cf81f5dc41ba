/** Large things by name: quarantined envelopes now; artifacts, attachments and replay segments later. */
export interface BlobStore {
  /** Durable when it resolves; an existing blob of the name is replaced whole or not at all. */
  put(name: BlobName, bytes: Uint8Array): Promise<void>
  /** `null` when absent. */
  get(name: BlobName): Promise<Uint8Array | null>
  /** No error when absent. */
  delete(name: BlobName): Promise<void>
  /** Names that start with `prefix`, sorted, with size in bytes and time of writing. */
  list(
    prefix: string,
  ): Promise<readonly { readonly name: BlobName; readonly bytes: number; readonly writtenMs: number }[]>
}

/** `area/…/leaf`: segments of `[a-z0-9._-]`, no leading dot, at most 200 characters. */
export type BlobName = string
