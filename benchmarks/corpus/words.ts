/** Words that names of functions, files and messages are made of. Letters alone: digits would be read as hashes. */
const VERBS =
  'load save fetch render resolve check apply merge parse validate submit cancel refund charge ship track list find update remove create build read write open close start stop format sort group count price reserve release confirm notify archive restore publish'.split(
    ' ',
  )
export const NOUNS =
  'cart order customer invoice payment address product basket coupon shipment parcel catalogue category image review rating session account profile password token search filter result report ledger stock warehouse supplier currency tax discount voucher gift card message thread comment banner menu header footer sidebar drawer dialog form field button table row cell chart legend axis range calendar event reminder schedule'.split(
    ' ',
  )
const PARTS =
  'summary detail total preview history status policy limit window queue cache index state view model list page step entry label owner target source change draft'.split(
    ' ',
  )
export const LIBRARIES = [
  'react-dom/cjs/react-dom-client.production.js',
  'next/dist/server/app-render/app-render.js',
  'next/dist/compiled/next-server/app-page.runtime.prod.js',
  'express/lib/router/index.js',
  'express/lib/router/layer.js',
  'pg/lib/client.js',
  'undici/lib/dispatcher/client-h1.js',
  '@tanstack/query-core/build/modern/query.js',
] as const
export const ERROR_TYPES = [
  'TypeError',
  'RangeError',
  'ReferenceError',
  'Error',
  'PaymentDeclined',
  'OrderConflict',
  'TimeoutError',
  'ValidationError',
] as const
export const FIRST_NAMES =
  'Rosa Kim Ada Noor Liam Mila Otto Ines Jun Amara Felix Greta Hugo Ivo Lena Marek Nina Paul Ruth Tariq'.split(
    ' ',
  )

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

function at(list: readonly string[], index: number): string {
  return list[index % list.length] ?? ''
}

/** `loadCartSummary`: another name for every number below 64,000. */
export function functionName(number: number): string {
  const [verb, noun] = [number % VERBS.length, Math.floor(number / VERBS.length)]
  return `${at(VERBS, verb)}${capital(at(NOUNS, noun))}${capital(at(PARTS, Math.floor(noun / NOUNS.length)))}`
}

/** `cart/order-summary`: another path for every number below 90,000. */
export function modulePath(number: number): string {
  const [first, rest] = [number % NOUNS.length, Math.floor(number / NOUNS.length)]
  const [second, third] = [rest % NOUNS.length, Math.floor(rest / NOUNS.length)]
  return `${at(NOUNS, first)}/${at(NOUNS, second + first + 1)}-${at(PARTS, third)}`
}
