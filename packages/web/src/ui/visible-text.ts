/** Characters that turn the direction of what follows: in a name they make `exe.gnp` out of `png.exe`. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

/** Text of strangers with such characters written out, as `[U+202E]`. Everything else stays. */
export function visibleText(text: string): string {
  return text.replace(TURNING, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`)
}
