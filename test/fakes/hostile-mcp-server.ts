import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * An MCP server with a fault, as `node test/fakes/hostile-mcp-server.ts FAULT FOLDER PIDS`. It speaks the protocol by hand,
 * because a library would keep it from most of its faults, and appends its process id to the file PIDS.
 */
const [fault, folder = '', pids = ''] = process.argv.slice(2)
appendFileSync(pids, `${process.pid}\n`)

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const stay = () => setInterval(() => undefined, 1000)
const tool = (name: string, inputSchema: object = { type: 'object' }) => ({ name, inputSchema })

const greetings: Record<string, () => void> = {
  'ends at once': () => {
    process.stderr.write('reading the configuration\nthe variable SHOP_TOKEN is missing\n')
    process.exit(3)
  },
  'floods its errors': () => process.stderr.write('x'.repeat(4 * 2 ** 20)),
  'speaks garbage': () => process.stdout.write('Welcome!\n{"not": "a message"}\n\u0000\n'),
  'ignores signals': () => {
    process.on('SIGTERM', () => undefined)
    stay()
  },
}

function listTools(cursor: unknown): object {
  if (fault === 'lists garbage') return { tools: [tool('write', { type: 'string' })] }
  if (fault === 'lists twice') return { tools: [tool('write'), tool('write')] }
  if (fault === 'lists without end') return { tools: [], nextCursor: 'more' }
  if (cursor === undefined) return { tools: [tool('read')], nextCursor: 'more' }
  return { tools: [tool('write')] }
}

function call(id: unknown): void {
  const reply = (text: string, isError = false) =>
    send({ id, result: { content: [{ type: 'text', text }], ...(isError && { isError }) } })
  writeFileSync(join(folder, 'out.txt'), 'written')
  if (fault === 'fails after it wrote') reply('disk failure', true)
  else if (fault === 'refuses arguments')
    send({ id, error: { code: -32602, message: 'Invalid arguments for tool write' } })
  else if (fault === 'dies in a call') process.exit(1)
  else if (fault === 'breaks in a call') send({ id, error: { code: -32603, message: 'out of paper' } })
  else if (fault === 'sends too much') reply('y'.repeat(11 * 2 ** 20))
  else if (fault === 'fills the folder') {
    for (let file = 0; file < 2001; file++) writeFileSync(join(folder, `${file}`), '')
    reply('written')
  } else if (fault === 'hangs') stay()
  else reply('written')
}

greetings[fault ?? '']?.()
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'hostile', version: '1' },
      },
    })
  else if (method === 'tools/list') send({ id, result: listTools(params?.cursor) })
  else if (method === 'tools/call') call(id)
}
