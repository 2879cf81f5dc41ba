/** Pages for nobody in particular as they were rendered, the newest. */
import { max } from '@errata/server/limits'

export class KeptPages {
  readonly #html = new Map<string, string>()

  get(key: string): string | null {
    return this.#html.get(key) ?? null
  }

  keep(key: string, html: string): void {
    if (key.length + html.length > max('pageKeptCharsMax')) return
    this.#html.set(key, html)
    const oldest = this.#html.keys().next()
    if (this.#html.size > max('pagesKeptMax') && !oldest.done) this.#html.delete(oldest.value)
  }
}
