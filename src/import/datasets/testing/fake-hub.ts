import { createServer, type RequestListener } from 'node:http'
import { vi } from 'vitest'

/** A server in the place of Hugging Face, for the rest of the test file; returns what closes it. */
export async function openFakeHub(serve: RequestListener): Promise<() => Promise<void>> {
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  vi.stubEnv('HF_ENDPOINT', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  vi.stubEnv('HF_TOKEN', '')
  return () => new Promise((resolve) => server.close(() => resolve()))
}
