import type { IncomingMessage, ServerResponse } from 'node:http'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { importSuite } from '../suite-files/recognise-suite.ts'
import { makeParquet } from '../results/testing/parquet-file.ts'
import { openFakeHub } from './testing/fake-hub.ts'

const count = 40
const small = makeParquet([
  { name: 'question', values: Array.from({ length: count }, (_, index) => `What is ${index} and 1?`) },
  { name: 'answer', values: Array.from({ length: count }, (_, index) => String(index + 1)) },
  { name: 'id', values: Array.from({ length: count }, (_, index) => BigInt(index)) },
])

/** What the hub lists for a dataset, by its name. The addresses are those of the public hub, whatever the endpoint. */
const lists: Record<string, unknown> = {
  'own/sums': {
    default: { test: ['https://hub.example/api/datasets/own/sums/parquet/default/test/0.parquet'], train: [] },
  },
  'own/many': { one: { train: ['x'], dev: ['x'] }, two: { test: ['x'] } },
  'own/splits': { default: { train: ['x'], dev: ['x'] } },
  'own/none': {},
  'own/cut': { default: { test: ['https://hub.example/0.parquet'] } },
  'own/broken': { default: { test: ['https://hub.example/0.parquet'] } },
  'own/moved': { 'zh: 中文 (a&b)': { test: ['https://hub.example/0.parquet'] } },
  'own/bare': { default: { test: ['https://hub.example/0.parquet'] } },
  'own/sliced': { main: { test: ['https://hub.example/0.parquet', 'https://hub.example/1.parquet'] } },
}

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-hub-'))
const requests: string[] = []
let authorization: string | undefined
let close = async () => {}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url!
  requests.push(`${request.method} ${url}`)
  authorization = request.headers.authorization
  const name = /^\/api\/datasets\/([\w-]+\/[\w-]+)\/parquet$/.exec(url)?.[1]
  if (name === 'own/gated') return void response.writeHead(403).end()
  if (name === 'own/private') return void response.writeHead(authorization === 'Bearer secret' ? 404 : 401).end()
  if (name !== undefined) {
    if (lists[name] === undefined) return void response.writeHead(404).end()
    return void response.end(JSON.stringify(lists[name]))
  }
  // The signed address that a file is redirected to is for GET alone.
  if (url === '/signed')
    return request.method === 'HEAD' ? void response.writeHead(403).end() : void response.writeHead(200).end(small)
  if (/^\/datasets\/own\/moved\/resolve\/.*\/zh%3A%20%E4%B8%AD%E6%96%87%20\(a%26b\)\/test\/0000/.test(url))
    return void response.writeHead(302, { location: '/signed' }).end()
  if (!/^\/datasets\/own\/\w+\/resolve\/refs%2Fconvert%2Fparquet\/\w+\/test\/000[01]\.parquet$/.test(url))
    return void response.writeHead(404).end()
  const headers = { 'content-length': small.length, ...(!url.includes('/own/bare/') && { etag: '"v1"' }) }
  if (request.method === 'HEAD') return void response.writeHead(200, headers).end()
  const isFirst = requests.filter((line) => line === `GET ${url}`).length === 1
  if (url.includes('/own/broken/') || (url.includes('/own/cut/') && isFirst)) {
    response.writeHead(200, headers).write(small.subarray(0, 100), () => response.destroy())
    return
  }
  response.writeHead(200, headers).end(small)
}

beforeAll(async () => {
  close = await openFakeHub(serve)
})
afterAll(async () => {
  await close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})
beforeEach(() => void requests.splice(0))

describe('a dataset on the hub', () => {
  it('is read by its Parquet files, from the split test if there is one', async () => {
    const { suite, dataset } = await importSuite('hf://datasets/own/sums', { dataFolder: folder })
    expect(suite.name).toBe('own/sums@test')
    expect(dataset).toMatchObject({ recipe: 'maths', rows: count })
    expect(suite.testCases[1]).toMatchObject({ id: '1', prompt: 'What is 1 and 1?', expectedOutput: '2' })
  })
  it('is fetched once, and asked for again only whether it changed', async () => {
    await importSuite('hf://datasets/own/sums@test', { dataFolder: folder })
    expect(requests.filter((line) => line.startsWith('GET /datasets'))).toEqual([])
    expect(readdirSync(join(folder, 'datasets/own/sums/default/test'))).toHaveLength(1)
  })
  it('is read only as far as asked, over several files', async () => {
    const first = await importSuite('hf://datasets/own/sliced/main@test', { mostRows: 3 })
    expect(first.suite.testCases).toHaveLength(3)
    expect(requests.filter((line) => line.includes('0001.parquet'))).toEqual([])
    const most = await importSuite('hf://datasets/own/sliced', { mostRows: count + 2 })
    expect(most.suite.testCases).toHaveLength(count + 2)
    expect(most.warnings.join()).toContain('had the id of another row')
  })
  it('is asked for again if the connection is lost, and says so if that does not help', async () => {
    const { suite } = await importSuite('hf://datasets/own/cut')
    expect(suite.testCases).toHaveLength(count)
    await expect(importSuite('hf://datasets/own/broken')).rejects.toThrow(
      /^hf:\/\/datasets\/own\/broken: the connection to the hub was lost \(.+\); try again$/,
    )
  })
  it('is read from an address that refuses HEAD, with any name of a config', async () => {
    const { suite } = await importSuite('hf://datasets/own/moved/zh: 中文 (a&b)@test')
    expect(suite.testCases).toHaveLength(count)
  })
  it('is kept for a day where the hub does not say which version it has', async () => {
    for (const fetched of [1, 1]) {
      await importSuite('hf://datasets/own/bare', { dataFolder: folder })
      expect(requests.filter((line) => line.startsWith('GET /datasets/own/bare/resolve/refs'))).toHaveLength(fetched)
    }
  })
  it('is asked for with the token', async () => {
    vi.stubEnv('HF_TOKEN', 'secret')
    await expect(importSuite('hf://datasets/own/private')).rejects.toThrow(
      /no dataset own\/private.*the token in HF_TOKEN/,
    )
    expect(authorization).toBe('Bearer secret')
    vi.stubEnv('HF_TOKEN', '')
  })
  it.each([
    ['hf://datasets/own/many', /several configs: one, two\. Choose one: hf:\/\/datasets\/own\/many\/one/],
    ['hf://datasets/own/many/one', /several splits: train, dev\. Choose one: hf:\/\/datasets\/own\/many\/one@train/],
    ['hf://datasets/own/many/three', /has no config three; there are one, two/],
    ['hf://datasets/own/splits@test', /has no split test; there are train, dev/],
    ['hf://datasets/own/none', /no Parquet files/],
    ['hf://datasets/own/missing', /there is no dataset own\/missing on the hub/],
    ['hf://datasets/own/private', /the hub asks who you are.*set HF_TOKEN/],
    ['hf://datasets/own/gated', /accept its terms on its page, and set HF_TOKEN/],
    ['hf://models/own/sums', /write hf:\/\/datasets\/OWNER\/NAME/],
    ['hf://datasets/own/..', /write hf:\/\/datasets\/OWNER\/NAME/],
  ])('%s is refused with a sentence', async (address, message) => {
    await expect(importSuite(address)).rejects.toThrow(message)
  })
  it('says when the hub cannot be reached', async () => {
    await close()
    await expect(importSuite('hf://datasets/own/sums')).rejects.toThrow(/cannot be reached/)
  })
})
