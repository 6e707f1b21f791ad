import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createBatchHttp, type BatchHttp } from './batch-http.ts'

const MEBIBYTE = 1024 * 1024
const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const undo of cleanUp.splice(0)) undo()
})

async function connect(
  answer: RequestListener,
  { login = '', headers = {} }: { login?: string; headers?: Record<string, string> } = {},
): Promise<BatchHttp> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const { port } = server.address() as AddressInfo
  return createBatchHttp({
    provider: 'test',
    baseUrl: `http://${login}127.0.0.1:${port}/v1`,
    headers,
    redact: (text) => text,
  })
}

/** A reply of that many MiB after decompression, of a thousandth of it on the wire. */
function inflating(status: number, mebibytes: number): RequestListener {
  const body = gzipSync(`${' '.repeat(mebibytes * MEBIBYTE)}{}`)
  return (_request, response) => response.writeHead(status, { 'content-encoding': 'gzip' }).end(body)
}

async function collect(lines: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const line of lines) all.push(line)
  return all
}

describe('replies about batches', () => {
  it('may have up to 32 MiB after decompression', async () => {
    expect(await (await connect(inflating(200, 31))).get('/batches/1')).toEqual({})
  })
  it('that are larger are an error that is not retried', async () => {
    const http = await connect(inflating(200, 33))
    const expected = { kind: 'broken', retryable: false, message: expect.stringContaining('32 MiB') }
    await expect(http.get('/batches/1')).rejects.toMatchObject(expected)
    await expect(http.post('/batches', {})).rejects.toMatchObject(expected)
  })
  it('are not awaited further when an error is longer than any error needs', async () => {
    const http = await connect((_request, response) => {
      response.writeHead(503, { 'content-type': 'text/plain' })
      // Never ended.
      response.write(`Busy. ${'x'.repeat(MEBIBYTE)}`)
    })
    await expect(http.get('/batches/1')).rejects.toMatchObject({ kind: 'refused', status: 503 })
  })
})

it('a user name and password in the base URL are sent with every request, unless there is a key', async () => {
  const sent: (string | undefined)[] = []
  const answer: RequestListener = ({ headers }, response) => {
    sent.push(headers.authorization)
    response.end('{}')
  }
  const login = 'me:p%40ss@'
  const http = await connect(answer, { login })
  await http.get('/batches/1')
  await http.post('/batches', {})
  await collect(http.readLines('/files/1/content'))
  await (await connect(answer, { login, headers: { authorization: 'Bearer key' } })).get('/batches/1')
  const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  expect(sent).toEqual([basic, basic, basic, 'Bearer key'])
})

describe('the results of a batch', () => {
  it('may be larger than any other reply, and come line by line', async () => {
    const line = `${JSON.stringify({ custom_id: 'a', text: 'x'.repeat(MEBIBYTE) })}\n`
    const http = await connect((_request, response) => {
      for (let count = 0; count < 40; count++) response.write(line)
      response.end('{"custom_id":"last"}')
    })
    const ids = (await collect(http.readLines('/files/1/content'))).map((entry) => Object(entry).custom_id)
    expect(ids).toEqual([...Array(40).fill('a'), 'last'])
  })
  it('are an error if one of them is larger than a reply may be', async () => {
    const http = await connect(inflating(200, 100))
    await expect(collect(http.readLines('/files/1/content'))).rejects.toMatchObject({
      kind: 'broken',
      message: expect.stringContaining('32 MiB'),
    })
  })
})
