/** What somebody reads whose options cannot be read: one sentence. */

/** What `read` answers, or `null` after the sentence was printed. */
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
