/** Cells of an upload, as the screens of source maps and of a release show them. */
import type { Queries } from '@errata/server/queries'
import { Icon } from '#ui/icons.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'

type Bundle = Awaited<ReturnType<Queries['releaseBundles']>>[number]

export function BundleMaps({ bundle }: { readonly bundle: Bundle }) {
  const { kind, name, maps, debugIdCount } = bundle
  if (kind === 'debug_file') return <span className="foreign">{name}, kept for later</span>
  const all = maps.ready + maps.waiting + maps.damaged
  return (
    <>
      {quantityText(all, 'map')}
      {maps.waiting === 0 ? null : <span className="text-ink-2">, {maps.waiting} being processed</span>}
      {maps.damaged === 0 ? null : <span className="text-warn">, {maps.damaged} damaged</span>}
      <span className="block text-12 text-ink-3">
        {debugIdCount === 0 ? 'by address' : quantityText(debugIdCount, 'debug ID')}
      </span>
    </>
  )
}

export function BundleLastUsed({ bundle: { usedMs, kind } }: { readonly bundle: Bundle }) {
  if (usedMs === null) return <span className="text-ink-3">{kind === 'bundle' ? 'never' : ''}</span>
  return (
    <>
      <Time ms={usedMs} />
      <span className="block text-12">
        <Verified />
      </span>
    </>
  )
}

/** A frame of a real event was resolved. */
export function Verified() {
  return (
    <span className="inline-flex items-center gap-1 text-good">
      <Icon name="check" size={12} />
      verified
    </span>
  )
}
