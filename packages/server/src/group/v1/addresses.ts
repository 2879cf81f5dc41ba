/**
 * Part of grouping version 1. Where a frame without a name failed: its address in its image, which is the same wherever the
 * image was loaded.
 */
import { isObject } from '#base/json.ts'
import type { Frame, ScrubbedEvent } from '#model/event.ts'

const ADDRESS = /^0x[0-9a-f]{1,16}$/i
const IMAGES_MAX = 2_000

interface Image {
  readonly start: bigint
  readonly end: bigint
  readonly file: string
}

/** Images that are known by an id, so that an address in them means something. */
export function imagesOf({ debug_meta: meta }: ScrubbedEvent): readonly Image[] {
  const images = Array.isArray(meta?.images) ? meta.images.slice(0, IMAGES_MAX) : []
  return images.flatMap((image: unknown): readonly Image[] => {
    if (!isObject(image)) return []
    const {
      image_addr: address,
      image_size: size,
      debug_id: debugId,
      code_id: codeId,
      code_file: file,
    } = image
    if (typeof debugId !== 'string' && typeof codeId !== 'string') return []
    const start = readAddress(address)
    if (start === null || typeof size !== 'number' || !Number.isSafeInteger(size) || size <= 0) return []
    return [{ start, end: start + BigInt(size), file: typeof file === 'string' ? file : '' }]
  })
}

export interface AddressKey {
  /** File of the image, if known. */
  readonly file: string
  /** `+0x1111` */
  readonly offset: string
}

/** `null` where nothing tells where the frame's image lies. */
export function frameAddressKey(frame: Frame, images: () => readonly Image[]): AddressKey | null {
  // Of the system's libraries every version has other addresses.
  if (frame.in_app === false) return null
  const address = readAddress(frame.instruction_addr)
  if (address === null) return null
  const start = readAddress(frame.data?.image_addr)
  const image =
    start === null ? images().find((each) => address >= each.start && address < each.end) : undefined
  const from = start ?? image?.start
  if (from === undefined || address < from) return null
  return { file: frame.package ?? image?.file ?? '', offset: `+0x${(address - from).toString(16)}` }
}

function readAddress(value: unknown): bigint | null {
  return typeof value === 'string' && ADDRESS.test(value) ? BigInt(value) : null
}
