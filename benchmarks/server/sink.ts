/** The yardstick: bare node:http that reads a body and answers 200 `{}`. Nothing an ingest server does can cost less. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 })
    response.end('{}')
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port) // a TCP server that listens has one
})
process.on('disconnect', () => process.exit(0))
