/** Targets of a pasted text: what its ids and numbers name, and the page of this server whose address it is. */
import type { PasteTarget } from '@errata/server/queries'
import { ownPathOf } from '#wire/base-path.ts'
import type { ViewerContext } from '#wire/types.ts'
import type { PaletteEntry } from './palette-groups.server.ts'

interface Pasted {
  readonly targets: readonly PasteTarget[]
  readonly pages: readonly PaletteEntry[]
}

/** An issue as its address names it: here, and in other trackers. */
const SHORT_ID = /^[A-Za-z][A-Za-z0-9-]*-\d{1,10}$/
/** Parts of an address that are looked up, each in several places: its issue is among its first. */
const PARTS_MAX = 4
/** A number or id that was broken by blanks on its way. */
const BROKEN = /^(?:[\d\s]{6,40}|[0-9a-f\s-]{32,60})$/i

export async function pastedFor({ engine, viewer, url }: ViewerContext, text: string): Promise<Pasted> {
  if (text === '') return { targets: [], pages: [] }
  const address = addressIn(text)
  const path = address === null || address.host !== url.host ? null : ownPagePath(address)
  const pages =
    path === null || address === null ? [] : [openEntry(`${path}${address.search}${address.hash}`)]
  for (const part of [text, ...partsOf(text, address)]) {
    const targets = await engine.queries.paste(viewer, part)
    if (targets.some(leadsSomewhere)) return { targets, pages }
  }
  // An unknown number leads to its page, which says what to do; of an address it is only a part.
  return { targets: address === null ? await engine.queries.paste(viewer, text) : [], pages }
}

/** Returns what else in the text may name something: its issue, or the text without blanks. */
function partsOf(text: string, address: URL | null): readonly string[] {
  if (address !== null) {
    const named = address.pathname.split('/').filter((part) => SHORT_ID.test(part))
    return named.slice(0, PARTS_MAX)
  }
  return BROKEN.test(text) && /\s/.test(text) ? [text.replaceAll(/\s+/g, '')] : []
}

/** Returns the address that a text is; `null` if it is another. */
function addressIn(text: string): URL | null {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text) : null
}

/** Returns the page's path; `null` for none: to a browser, two slashes begin the name of another server. */
function ownPagePath({ pathname }: URL): string | null {
  const path = ownPathOf(pathname)
  return path?.startsWith('//') ? null : path
}

function leadsSomewhere(target: PasteTarget): boolean {
  return target.kind !== 'digest' || target.issue !== null
}

function openEntry(path: string): PaletteEntry {
  return { icon: 'arrow', text: `Open ${path}`, note: 'address', path }
}
