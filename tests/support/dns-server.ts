/** A DNS server on this machine that knows TXT records, and nothing else: whoever is asked for another name knows none. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** Address and port, as `--dns-servers` takes it. */
  readonly address: string
  readonly texts: Map<string, string>
  close(): Promise<void>
}

const HEADER_BYTES = 12

export async function startDnsServer(): Promise<DnsServer> {
  const texts = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    socket.send(answerTo(question, texts), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** RFC 1035, section 4: the question comes back with at most one TXT record. */
function answerTo(question: Buffer, texts: ReadonlyMap<string, string>): Buffer {
  const { name, end } = nameIn(question)
  const text = texts.get(name.toLowerCase())
  const header = Buffer.from(question.subarray(0, HEADER_BYTES))
  header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(text === undefined ? 0 : 1, 6)
  header.writeUInt32BE(0, 8)
  const asked = question.subarray(HEADER_BYTES, end + 4)
  if (text === undefined) return Buffer.concat([header, asked])
  const data = Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])
  const record = Buffer.alloc(HEADER_BYTES)
  record.writeUInt16BE(0xc00c, 0) // the name of the question
  record.writeUInt16BE(16, 2) // TXT
  record.writeUInt16BE(1, 4) // IN
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([header, asked, record, data])
}

function nameIn(question: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}
