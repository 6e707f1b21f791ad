import { connect, createServer, type Socket } from 'node:net'
import { expect, it, describe } from 'vitest'
import pg from 'pg'
import { startPostgres } from '../testing/postgres-server.ts'
import { listenForNotifications, readChange, writeChange } from './listener.ts'
import type { RunChange } from '../../contract/index.ts'

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

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

describe('notifications about a run', () => {
  it('stay below the 8,000 bytes that PostgreSQL allows, and lose no cell', () => {
    const change: RunChange = {
      runId: '20261116-191612-krqu',
      hasMoved: true,
      started: range(990_000, 5000),
      finished: range(999_000, 801),
    }
    const payloads = [...writeChange(change)]
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000)
    const read = payloads.map((payload) => readChange(payload)!)
    expect(read.every(({ runId }) => runId === change.runId)).toBe(true)
    expect(read.flatMap(({ started = [] }) => started)).toEqual(change.started)
    expect(read.flatMap(({ finished = [] }) => finished)).toEqual(change.finished)
    expect(read.filter(({ hasMoved }) => hasMoved)).toHaveLength(1)
  })

  it('that are not ours are ignored', () => {
    for (const payload of ['', 'x', '{}', '[]', 'null', '{"runId":1}', '{"runId":"a","finished":[-1]}'])
      expect(readChange(payload)).toBeUndefined()
  })
})
