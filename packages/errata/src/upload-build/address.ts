/** Under which address a script of a build is found by release. */
import { join, sep } from 'node:path'

/** Folder `.next`; Next serves it, and names its server's frames, as `_next`. */
const NEXT = '/.next/'

export function buildAddress(root: string, prefix: string | null): (file: string) => string {
  const given = prefix?.replace(/\/+$/, '')
  return (file) => {
    if (given !== undefined) return `${given}/${file}`
    const path = join(root, file).split(sep).join('/')
    const at = path.lastIndexOf(NEXT)
    return at === -1 ? `~/${file}` : `~/_next/${path.slice(at + NEXT.length)}`
  }
}
