const { charCodeAt } = String.prototype

/**
 * `text.charCodeAt(at)`, for loops over many texts. The engine keeps strings in more forms (cut, joined, of one or two
 * bytes) than it remembers at one place of the code; then it looks the method up for each character, which takes five
 * times as long as the rest of such a loop (2 vCPU, 2026-11). Here nothing is looked up. `at` lies within the text: one
 * look beyond it, and the engine reckons with numbers that are none, at every place that calls this.
 */
export function codeAt(text: string, at: number): number {
  return charCodeAt.call(text, at)
}
