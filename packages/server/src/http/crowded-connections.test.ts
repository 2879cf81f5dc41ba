import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { CrowdedConnections } from './crowded-connections.ts'

describe('connections where there are many', () => {
  const server = createServer()
  const clients: Socket[] = []
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    for (const client of clients) client.destroy()
    server.close()
  })

  /** The server's half of a connection from an address of this machine. */
  async function open(crowd: CrowdedConnections, from: string): Promise<Socket> {
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const accepted = once(server, 'connection')
    const client = connect({ port: address.port, host: '127.0.0.1', localAddress: from })
    client.on('error', () => {}) // it may be closed
    clients.push(client)
    const [socket]: Socket[] = await accepted
    assert.ok(socket !== undefined)
    crowd.opened(socket)
    return socket
  }

  it('a new one takes the place of the least used of whoever has most', async () => {
    const crowd = new CrowdedConnections(() => false, { connections: 4, perAddress: 2 })
    const many = [
      await open(crowd, '127.0.0.2'),
      await open(crowd, '127.0.0.2'),
      await open(crowd, '127.0.0.2'),
    ]
    const few = [await open(crowd, '127.0.0.3')]
    if (many[0] !== undefined) crowd.used(many[0])
    few.push(await open(crowd, '127.0.0.3'))
    assert.deepEqual(
      [...many, ...few].map(({ destroyed }) => destroyed),
      [false, true, false, false, false],
    )
  })

  it('nobody who has few loses one, nor a proxy, which has those of others', async () => {
    const isProxy = (address: string) => address === '127.0.0.4'
    const crowd = new CrowdedConnections(isProxy, { connections: 2, perAddress: 2 })
    const all = [await open(crowd, '127.0.0.5'), await open(crowd, '127.0.0.5')]
    for (let n = 0; n < 4; n++) all.push(await open(crowd, '127.0.0.4'))
    all.push(await open(crowd, '127.0.0.6'))
    assert.ok(all.every(({ destroyed }) => !destroyed))
    const third = await open(crowd, '127.0.0.5')
    assert.deepEqual([all[0]?.destroyed, third.destroyed], [true, false])
  })
})
