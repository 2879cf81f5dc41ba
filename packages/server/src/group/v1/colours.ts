/** Part of grouping version 1, and what titles are made of. Of what a terminal is told: the text. */

/** ECMA-48, “Control sequences”. */
const SEQUENCE = /\p{Cc}\[[0-9;:?]{0,40}[A-Za-z]/gu

/** `ESC[31mBuild failedESC[0m` is `Build failed`. */
export function withoutColours(text: string): string {
  return text.includes('\u001b') ? text.replace(SEQUENCE, '') : text
}
