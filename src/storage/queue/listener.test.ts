import { connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import pg from 'pg'
import { startPostgres } from '../testing/postgres-server.ts'
import { listenForNotifications } from './listener.ts'

it('connects again when the network drops its connection without a word', async () => {
  const postgres = await startPostgres()
  const target = new URL(await postgres.createDatabase())
  const passed: Socket[] = []
  const proxy = createServer((socket) => {
    const onward = connect(Number(target.port), target.hostname)
    for (const each of [socket, onward]) each.on('error', () => {})
    socket.pipe(onward).pipe(socket)
    passed.push(socket, onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const through = new URL(target)
  through.host = `127.0.0.1:${address.port}`

  let connections = 0
  const heard = new Set<string>()
  const listener = listenForNotifications({
    connectionString: through.href,
    channel: 'test_channel',
    onMessage: (payload) => heard.add(payload),
    onConnected: () => connections++,
    checkEveryMs: 1000,
  })
  const client = new pg.Client({ connectionString: target.href })
  await client.connect()
  /** Said until it is heard: what is said between two connections is lost, as it should be. */
  const hear = async (word: string) => {
    while (!heard.has(word)) {
      await client.query('SELECT pg_notify($1, $2)', ['test_channel', word])
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  try {
    await hear('one')
    // Both ends believe that the connection is open.
    for (const socket of passed) socket.unpipe()
    await hear('two')
    expect(connections).toBeGreaterThan(1)
  } finally {
    await listener.close()
    await client.end()
    for (const socket of passed) socket.destroy()
    proxy.close()
    await postgres.stop()
  }
})
