/** The provider did not do its part: a sentence for whoever signs in, without addresses or secrets. */
export class ProviderError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderError'
  }
}
