/** Small things by name, whole: quarantined envelopes. */
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

/**
 * Large things by name, streamed. The name says how long they live: `attachment-2026-11-29.30/7/<id>` goes with the files
 * of that kind, day and class. What no row names goes a day after it was written.
 */
export interface LargeBlobs {
  /** Begins a blob that has no name yet; nothing of it is listed, and a crash leaves nothing. */
  begin(): Promise<BlobWriter>
  /** Bytes from `range.start` up to, not with, `range.end`; `null` when there is no such blob. */
  read(name: BlobName, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>
  /** `null` when there is no such blob. */
  bytes(name: BlobName): Promise<number | null>
  /** No error when absent. */
  remove(name: BlobName): Promise<void>
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Writer of one blob; each call waits for the one before. */
export interface BlobWriter {
  /** Taken when it resolves, durable with `seal`; a disk that fails says so to a later call. */
  append(bytes: Uint8Array): Promise<void>
  /** Makes what was appended durable, and says what it is. */
  seal(): Promise<{ readonly bytes: number; readonly sha256: string }>
  /** Gives a sealed blob its name, durably; one of that name is replaced. */
  keep(name: BlobName): Promise<void>
  /** Removes what was written, unless it has its name. Never rejects. */
  discard(): Promise<void>
}
