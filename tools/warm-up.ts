/**
 * Runs the built program once, so that Node keeps it compiled (`dist/compile-cache`). It keeps what the first process has used: left to
 * chance, that is `--version`, and every run then compiles for itself what it needs.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ANSWER =
  'data: {"choices":[{"index":0,"delta":{"content":"yes"},"finish_reason":"stop"}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}\n\ndata: [DONE]\n\n'

const CHECKS = [
  { scoringMethod: 'exact-match', expectedOutput: 'yes' },
  { scoringMethod: 'boolean', expectedOutput: 'true' },
  { scoringMethod: 'numeric-tolerance', expectedOutput: '1' },
  { scoringMethod: 'multiple-choice', expectedOutput: 'A' },
]

/** Whose settings, data and keys there are is not its business. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BENCHMAKER_')))
}

const MOST_MS = 60_000

/** Gives what the run ended with: 0 when all is well. */
export async function warmUp(root: string, dist: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-warm-up-'))
  const suite = join(folder, 'suite.json')
  const testCases = Array.from({ length: 100 }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    ...CHECKS[index % CHECKS.length],
  }))
  writeFileSync(suite, JSON.stringify({ name: 'Warm-up', testCases }))
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(ANSWER))
  })
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    mkdirSync(join(dist, 'compile-cache'), { recursive: true })
    const args = [
      'run',
      suite,
      '--models',
      'warm-up',
      '--base-url',
      `http://127.0.0.1:${port}/v1`,
      '--data',
      join(folder, 'data'),
    ]
    // In a folder of its own, where there is no .env either.
    const program = spawn(join(root, 'bin/benchmaker'), args, {
      stdio: 'ignore',
      cwd: folder,
      env: plainEnvironment(),
      timeout: MOST_MS,
    })
    return await new Promise((resolve) => program.once('close', resolve).once('error', resolve))
  } finally {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
}
