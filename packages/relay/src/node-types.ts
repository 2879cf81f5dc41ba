/** Node's requests and responses by their shape: nothing is imported, and what frameworks make of them fits. */

/** Node's `IncomingMessage`, and what body parsers add to it. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly socket?: { readonly remoteAddress?: string | undefined }
  readonly readableDidRead?: boolean
  readonly body?: unknown
}

/** Node's `ServerResponse`. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}
