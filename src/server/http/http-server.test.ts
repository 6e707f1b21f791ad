import { createServer } from 'node:net'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { startHttpServer } from './http-server.ts'

describe('the port', () => {
  it('is the next free one if the preferred port is taken; a fixed port that is taken is an error with advice', async () => {
    const other = createServer()
    const taken = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
    const server = await startHttpServer(new Hono(), { port: taken })
    expect(server.port).toBeGreaterThan(taken)
    expect(server.port).toBeLessThanOrEqual(taken + 20)
    await server.close()
    await expect(startHttpServer(new Hono(), { port: taken, isFixed: true })).rejects.toThrow(
      `port ${taken} is taken by another program; choose another with --port`,
    )
    await new Promise((resolve) => other.close(resolve))
  })
})
