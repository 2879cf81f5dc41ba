/** Prints one sentence to whoever gave options that cannot be read. */

/** Returns what `read` returns, or `null` after printing the sentence. */
export function optionsOrSentence<T>(read: () => T, command: string): T | null {
  try {
    return read()
  } catch (cause) {
    console.error(sentenceOf(cause, command))
    return null
  }
}

function sentenceOf(cause: unknown, command: string): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  // What Node's own reader says goes on about positional arguments after its first sentence.
  const first = message.split(/(?<=')\. |\n/)[0] ?? message
  return `${first.replace(/\.$/, '')}; "${command} -- --help" lists the options.`
}
