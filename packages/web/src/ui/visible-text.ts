/** Characters that turn the direction of what follows: in a name they make `exe.gnp` out of `png.exe`. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

/** Text of strangers with such characters written out, as `[U+202E]`. Everything else stays. */
export function visibleText(text: string): string {
  return text.replace(TURNING, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`)
}

/** Letters that are written from the right: Hebrew, Arabic and their kin. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Returns a text that leaves what stands beside it in its place, whichever way it is written itself. */
export function isolateTurned(text: string): string {
  return FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text
}
