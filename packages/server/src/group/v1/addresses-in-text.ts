/**
 * Part of grouping version 1. What an address in a text says of its failure: host and shape of the path. Ids in it, its query
 * and who signs in vary; so does the host of a machine that was made by number.
 */
import { isHashedName, withoutHashesIn } from './paths.ts'
import { isIdentifier, isRandomPart } from './random-names.ts'

const SEGMENTS_MAX = 8
/** Ports from here on are handed out by the system, one a connection. */
const EPHEMERAL_PORT = 32_768

/** `https://api.shop.test/orders/17?token=1` is `https://api.shop.test/orders/<int>`. */
export function addressShape(address: string): string {
  const scheme = address.slice(0, address.indexOf('://'))
  if (/^(?:data|blob|javascript)$/i.test(scheme)) return `<${scheme.toLowerCase()}>`
  const [plain = ''] = address.slice(scheme.length + 3).split(/[?#]/, 1)
  const tail = /[.,:;!]{1,9}$/.exec(plain)?.[0] ?? ''
  const body = plain.slice(0, plain.length - tail.length)
  const slash = body.indexOf('/')
  const authority = slash < 0 ? body : body.slice(0, slash)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const path = slash < 0 ? '' : pathShape(body.slice(slash))
  // Of a file the name is what matters: another server has another folder.
  if (/^file$/i.test(scheme)) return `<path>/${path.slice(path.lastIndexOf('/') + 1)}`
  return `${scheme.toLowerCase()}://${hostShape(host)}${path}${/^[:;,.!]/.test(tail) ? tail : ''}`
}

/** Host and port; `<ip>` for a number, ports of connections by none. */
function hostShape(host: string): string {
  const [, name = host, port] = /^(.{0,255}?)(?::(\d{1,5}))?$/.exec(host) ?? []
  const shown = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]{2,45}\])$/i.test(name)
    ? '<ip>'
    : hostNameShape(name)
  return port === undefined ? shown : `${shown}${portShape(`:${port}`)}`
}

/** `:5432` says which service; `:49152` is one connection's. */
function portShape(port: string): string {
  return Number(port.slice(1)) < EPHEMERAL_PORT ? port : ':<int>'
}

/** Without what machines, pods and builds are numbered by: `web-7d9f8b6c5-x2x4z.shop.svc`, `ip-10-0-1-23.internal`. */
export function hostNameShape(name: string): string {
  return name
    .toLowerCase()
    .split('.')
    .map((label) => {
      if (/^(?:ip-)?\d{1,3}(?:-\d{1,3}){3}$/.test(label)) return 'ip-<int>'
      return label
        .replace(/-(?:[a-f0-9]{7,12})-[a-z0-9]{5}$/, '-<id>')
        .replace(/-(?=[a-z0-9]{0,40}\d)[a-z0-9]{8,40}(?=-|$)/g, '-<id>')
    })
    .join('.')
}

/** `/orders/17/items` is `/orders/<int>/items`. */
export function pathShape(path: string): string {
  const segments = path.split('/')
  const kept = segments.slice(0, SEGMENTS_MAX + 1).map(segmentShape)
  return `${kept.join('/')}${segments.length > kept.length ? '/…' : ''}`
}

function segmentShape(segment: string): string {
  if (segment === '' || segment.length > 128) return segment === '' ? '' : '<id>'
  if (/^-?\d{1,64}$/.test(segment)) return '<int>'
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(segment)) return '<uuid>'
  if (/\.[a-z0-9]{1,8}$/i.test(segment) && isHashedName(segment)) return withoutHashesIn(segment)
  if (/%(?:20|2[0-9a-f]|[3-9a-f][0-9a-f])/i.test(segment) || segment.includes('@') || segment.includes('+'))
    return '<id>'
  if (/^[0-9a-f]{7,128}$/i.test(segment) && /\d/.test(segment)) return '<id>'
  if (segment.length >= 12 && isIdentifier(segment)) return '<id>'
  const prefixed = /^([a-z]{2,10})_([A-Za-z0-9]{8,64})$/.exec(segment)
  if (prefixed?.[2] !== undefined && isRandomPart(prefixed[2])) return `${prefixed[1]}_<id>`
  return segment.replace(/\d{2,64}/g, '<int>')
}
