import { createServer } from 'node:http'

createServer((request, response) => {
  if (request.url === '/fail') throw new Error('the server of node fails')
  response.end('ok')
}).listen(Number(process.env.PORT), '127.0.0.1')
