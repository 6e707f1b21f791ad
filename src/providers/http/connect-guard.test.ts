import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEndpointClient } from '../create-client.ts'
import { createConnectGuard, readAllowedHosts, type ConnectGuard } from './connect-guard.ts'

let server: Server
let port: number
let requests: string[]
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`)
    if (request.url?.startsWith('/redirecting'))
      response.writeHead(307, { location: `http://127.0.0.1:${port}/internal` }).end()
    else
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: [{ id: 'model' }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => void server.close())
beforeEach(() => {
  requests = []
})

const listWith = async (baseUrl: string, guard: ConnectGuard) => {
  const client = createEndpointClient({ baseUrl, guard })
  try {
    return (await client.listModels()).map(({ id }) => id)
  } finally {
    await client.close()
  }
}
const public4 = { address: '8.8.8.8', family: 4 }
const loopback = { address: '127.0.0.1', family: 4 }

describe('the guard of connections', () => {
  it('refuses internal addresses however they are written', async () => {
    const guard = createConnectGuard()
    for (const host of [
      '127.0.0.1',
      'localhost',
      'a.localhost',
      'localhost.',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '169.254.169.254',
      '10.1.2.3',
      '[fd00::1]',
      '①②⑦.0.0.1',
    ]) {
      const baseUrl = `http://${host}:${port}/v1`
      await expect(guard.check(baseUrl), host).rejects.toThrow('BENCHMAKER_ALLOWED_HOSTS')
      await expect(listWith(baseUrl, guard), host).rejects.toThrow('BENCHMAKER_ALLOWED_HOSTS')
    }
    expect(requests).toEqual([])
  })

  it('refuses names that stand for internal addresses, even beside public ones', async () => {
    const guard = createConnectGuard({ resolve: async () => [public4, loopback] })
    await expect(guard.check(`http://model.example:${port}`)).rejects.toThrow('this machine')
    await expect(listWith(`http://model.example:${port}`, guard)).rejects.toMatchObject({
      retryable: false,
      unbilled: true,
    })
    expect(requests).toEqual([])
  })

  it('checks the address that it connects to: a name that changes its address is refused', async () => {
    const answers = [[public4], [loopback]]
    const guard = createConnectGuard({ resolve: async () => answers.shift() ?? [loopback] })
    await guard.check(`http://rebinding.example:${port}`)
    await expect(listWith(`http://rebinding.example:${port}`, guard)).rejects.toThrow('this machine')
    expect(requests).toEqual([])
  })

  it('allows the hosts that an admin lists, and no others', async () => {
    const guard = createConnectGuard({
      allowedHosts: readAllowedHosts('vllm.internal:8000, 127.0.0.1 ,'),
      resolve: async () => [loopback],
    })
    expect(await listWith(`http://127.0.0.1:${port}/v1`, guard)).toEqual(['model'])
    expect(await listWith(`http://vllm.internal:${port}/v1`, guard)).toEqual(['model'])
    await expect(listWith(`http://other.internal:${port}/v1`, guard)).rejects.toThrow('this machine')
    expect(requests).toEqual([`127.0.0.1:${port} /v1/models`, `vllm.internal:${port} /v1/models`])
  })

  it('a redirect to an internal address is not followed', async () => {
    const guard = createConnectGuard({ allowedHosts: ['front.example'], resolve: async () => [loopback] })
    await expect(listWith(`http://front.example:${port}/redirecting`, guard)).rejects.toThrow()
    expect(requests).toEqual([`front.example:${port} /redirecting/models`])
  })

  it('batches go through it, too', async () => {
    const client = createEndpointClient({ baseUrl: `http://10.0.0.1:${port}/v1`, guard: createConnectGuard() })
    await expect(client.batches?.look('batch')).rejects.toThrow('a private network')
    await client.close()
  })
})
