/** A QR code as the path of an SVG. */
import { encode } from 'uqr'

export interface QrCode {
  /** Width and height, with the quiet border. */
  readonly size: number
  /** Squares of 1 by 1, one for each dark module. */
  readonly path: string
}

/** Modules of white around it that readers need. */
const BORDER = 4

export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}
