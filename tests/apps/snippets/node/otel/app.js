const http = require('node:http')

http
  .createServer((request, response) => {
    response.statusCode = request.url === '/fail' ? 500 : 200
    response.end('ok')
  })
  .listen(Number(process.env.PORT), '127.0.0.1')
