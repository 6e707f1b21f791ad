import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { runProgram } from '../src/cli/program.ts'

const root = join(import.meta.dirname, '..')
const script = readFileSync(join(root, 'integrations/github/run.sh'), 'utf8')
const actionText = readFileSync(join(root, 'action.yml'), 'utf8')
const gitlabText = readFileSync(join(root, 'docs/gitlab-ci.yml'), 'utf8')

const stepSchema = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
})
const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string().optional() })),
  outputs: z.record(z.string(), z.object({ value: z.string() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(stepSchema) }),
})
const { benchmaker: gitlabJob } = z
  .object({
    benchmaker: z.object({ script: z.array(z.string()), cache: z.object({ paths: z.array(z.string()) }) }),
  })
  .parse(parse(gitlabText))
const action = actionSchema.parse(parse(actionText))

interface Comment {
  id: number
  body: string
  user: { login: string; type: string }
}

const actionsBot = { login: 'github-actions[bot]', type: 'Bot' }
const stranger = { login: 'mallory', type: 'User' }

/** Who writes with a token; only those of people may read `/user`. */
const accounts: Record<string, Comment['user']> = {
  'Bearer secret': actionsBot,
  'Bearer of-an-app': { login: 'our-app[bot]', type: 'Bot' },
  'Bearer of-a-person': { login: 'ada', type: 'User' },
}

/** What the action needs of GitHub's interface, with other people's comments on more than one page. */
function startGitHub(comments: Comment[]): Promise<{ server: Server; requests: string[]; address: string }> {
  const requests: string[] = []
  const read = async (request: IncomingMessage) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(Buffer.from(part as Uint8Array))
    return z.object({ body: z.string() }).parse(JSON.parse(Buffer.concat(parts).toString()))
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    requests.push(`${request.method} ${url.pathname}`)
    const reply = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const user = accounts[request.headers.authorization ?? '']
    if (!user || (url.pathname === '/user' && user.type === 'Bot')) return reply(403, { message: 'Not accessible' })
    if (url.pathname === '/user') return reply(200, user)
    if (url.pathname === '/graphql') return reply(200, { data: { viewer: { login: user.login } } })
    const page = Number(url.searchParams.get('page'))
    if (request.method === 'GET') return reply(200, comments.slice((page - 1) * 100, page * 100))
    return void read(request).then(({ body }) => {
      const id = request.method === 'PATCH' ? Number(url.pathname.split('/').at(-1)) : comments.length + 1
      const found = comments.find((comment) => comment.id === id)
      if (found) found.body = body
      else comments.push({ id, body, user })
      reply(200, { id, html_url: `https://github.example/comment/${id}` })
    })
  })
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ server, requests, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    ),
  )
}

interface Ended {
  code: number
  stdout: string
  stderr: string
}

function start(file: string, args: string[], options: { cwd: string; env: Record<string, string> }): Promise<Ended> {
  return new Promise((resolve) =>
    execFile(
      file,
      args,
      { ...options, env: { PATH: process.env['PATH'] ?? '', ...options.env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    ),
  )
}

/** The help of the commands that the action uses. */
async function readHelp(): Promise<string> {
  let text = ''
  const output = { write: (part: string) => void (text += part) }
  const terminal = { stdout: output, stderr: output, colour: false, columns: 2000, progress: false }
  for (const command of ['run', 'list', 'compare', 'export']) await runProgram([command, '--help'], terminal)
  return text
}

describe('the GitHub Action', () => {
  it('declares every input that it uses, and uses every input that it declares', () => {
    const used = new Set(Array.from(actionText.matchAll(/inputs\.([a-z-]+)/g), ([, name]) => name))
    expect([...used].toSorted()).toEqual(Object.keys(action.inputs).toSorted())
  })
  it('passes inputs through the environment, where they cannot run commands', () => {
    for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{')
    for (const { run, shell } of action.runs.steps) expect(shell).toBe(run === undefined ? undefined : 'bash')
  })
  it('runs known code only: other actions by commit, the program by version', () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    const lines = actionText.split('\n').filter((line) => /^[\s-]*uses:/.test(line))
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    expect(action.inputs['version']?.default).toBe(version)
    expect(script).toContain(`npx --yes benchmaker@${version}}`)
    expect(gitlabText).toContain(`npx --yes benchmaker@${version}\n`)
  })
  it('sets every variable that its script reads, and its script writes every output', () => {
    const set = new Set(action.runs.steps.flatMap(({ env = {} }) => Object.keys(env)))
    for (const name of [
      'SUITE',
      'MODELS',
      'JUDGE',
      'FAIL_UNDER',
      'ALLOW_MISSING',
      'MAX_COST',
      'BASELINE',
      'ARGUMENTS',
    ]) {
      expect(set).toContain(name)
      expect(script).toContain(name)
    }
    for (const name of Object.keys(action.outputs)) expect(script).toContain(`${name}=`)
  })
  it.each([
    ['integrations/github/run.sh', script],
    ['docs/gitlab-ci.yml', gitlabText],
  ])('uses only options that the program has: %s', async (_name, text) => {
    const known = await readHelp()
    const lines = text.split('\n').filter((line) => !/curl|#|node -/.test(line))
    const used = lines.flatMap((line) => Array.from(line.matchAll(/(?<=[\s(])--[a-z-]+/g), ([option]) => option))
    expect(used.length).toBeGreaterThan(8)
    expect(
      used.filter(
        (option) =>
          !known.includes(`${option} `) && !['--yes', '--header', '--request', '--data-urlencode'].includes(option),
      ),
    ).toEqual([])
  })
  it('has a GitLab example that parses and keeps the cache of answers', () => {
    expect(gitlabJob.cache.paths).toEqual(['.benchmaker'])
    expect(gitlabJob.script.join('\n')).toContain('--format pr-comment')
  })
})

describe('the steps of the action, against a server that speaks as GitHub does', () => {
  let folder: string
  let github: Awaited<ReturnType<typeof startGitHub>>
  const comments: Comment[] = Array.from({ length: 120 }, (_, index) => ({
    id: index + 1,
    body: `someone said ${index}`,
    user: stranger,
  }))

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'benchmaker-action-'))
    github = await startGitHub(comments)
    const cases = [1, 2, 3, 4].map(
      (index) =>
        `  - { id: c${index}, prompt: 'What is ${index} + 1?', expectedOutput: '${index + 1}', scoringMethod: numeric-tolerance }\n`,
    )
    writeFileSync(join(folder, 'suite.yaml'), `name: Sums\ntestCases:\n${cases.join('')}`)
  })
  afterAll(async () => {
    await new Promise((resolve) => github.server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })

  const run = async (env: Record<string, string>) => {
    const output = join(folder, 'output')
    writeFileSync(output, '')
    const ended = await start('bash', [join(root, 'integrations/github/run.sh')], {
      cwd: folder,
      env: {
        BENCHMAKER_COMMAND: `${process.execPath} ${join(root, 'dist/cli.js')}`,
        SUITE: 'suite.yaml',
        MODELS: 'demo/good,demo/poor',
        DEFAULT_BRANCH: 'main',
        GITHUB_OUTPUT: output,
        HOME: folder,
        ...env,
      },
    })
    const outputs = Object.fromEntries(
      readFileSync(output, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    )
    return { ...ended, outputs }
  }
  const comment = (token = 'secret', name = '') =>
    start(
      process.execPath,
      [join(root, 'integrations/github/comment.mjs'), join(folder, 'benchmaker-report/comment.md')],
      {
        cwd: folder,
        env: {
          GITHUB_API_URL: github.address,
          GITHUB_REPOSITORY: 'owner/name',
          GITHUB_TOKEN: token,
          PULL_REQUEST: '7',
          REPORT_NAME: name,
        },
      },
    )
  const mine = () => comments.filter(({ body }) => body.startsWith('<!-- benchmaker -->'))

  it(
    'reports the default branch, compares a pull request with it, and keeps one comment',
    { timeout: 240_000 },
    async () => {
      const main = await run({ GITHUB_REF_NAME: 'main' })
      expect([main.code, main.stderr]).toEqual([0, expect.any(String)])
      expect(main.outputs).toMatchObject({
        'exit-code': '0',
        folder: 'benchmaker-report',
        run: expect.stringMatching(/^\d{8}-/),
      })
      expect(readFileSync(join(folder, 'benchmaker-report/comment.md'), 'utf8')).toContain('### Sums')
      expect(await comment()).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Wrote https://github.example/comment/121'),
      })

      const branch = await run({ GITHUB_REF_NAME: 'feature/x', FAIL_UNDER: '99' })
      // A failed gate is an output: the comment comes first.
      expect(branch).toMatchObject({ code: 0, outputs: { 'exit-code': '1' } })
      const text = readFileSync(join(folder, 'benchmaker-report/comment.md'), 'utf8')
      expect(text).toContain(`A: ${main.outputs['run']}`)
      expect(text).toContain('stayed the same')
      expect(text.trim().split('\n').length).toBeLessThanOrEqual(40)
      expect(await comment()).toMatchObject({ code: 0, stdout: expect.stringContaining('Updated') })
      expect(mine()).toEqual([{ id: 121, body: text, user: actionsBot }])
      expect(github.requests.filter((request) => request.startsWith('PATCH'))).toEqual([
        'PATCH /repos/owner/name/issues/comments/121',
      ])
    },
  )

  it(
    'takes the baseline of the same suite, long branches, and writes a comment for each name',
    { timeout: 240_000 },
    async () => {
      writeFileSync(
        join(folder, 'other.yaml'),
        'name: Other\ntestCases:\n  - { id: x, prompt: Hi, expectedOutput: Hi, scoringMethod: boolean }\n',
      )
      const branch = `feature/${'long-'.repeat(20)}`
      const first = await run({ GITHUB_REF_NAME: branch, SUITE: 'other.yaml' })
      // The only run of the default branch is of another suite: there is nothing to compare.
      expect([first.code, first.outputs['exit-code']]).toEqual([0, '0'])
      expect(readFileSync(join(folder, 'benchmaker-report/comment.md'), 'utf8')).toContain('| # | Model |')
      expect(await comment('secret', 'other suite --> <b>')).toMatchObject({ code: 0 })
      expect(comments.at(-1)!.body).toMatch(/^<!-- benchmaker other suite +b +-->\n### Other/)
      expect(mine()).toHaveLength(1)
    },
  )

  it('never takes over a comment of someone else that begins with its marker', async () => {
    const marker = '<!-- benchmaker trap -->'
    const trap = `${marker}\nA text of someone else`
    const foreign = [stranger, { login: 'github-actions', type: 'User' }, { login: 'other-app[bot]', type: 'Bot' }]
    for (const user of foreign) comments.push({ id: comments.length + 1, body: trap, user })
    writeFileSync(join(folder, 'benchmaker-report/comment.md'), `<!-- benchmaker -->\n### Ours\n`)
    for (const [token, login] of [
      ['secret', 'github-actions[bot]'],
      ['of-an-app', 'our-app[bot]'],
      ['of-a-person', 'ada'],
    ] as const) {
      expect(await comment(token, 'trap')).toMatchObject({ code: 0, stdout: expect.stringContaining('Wrote') })
      expect(await comment(token, 'trap')).toMatchObject({ code: 0, stdout: expect.stringContaining('Updated') })
      expect(comments.filter(({ body, user }) => body.startsWith(marker) && user.login === login)).toHaveLength(1)
    }
    expect(comments.filter(({ body }) => body === trap).map(({ user }) => user)).toEqual(foreign)
  })

  it('says what to do if it may not comment, or if there is no such suite', { timeout: 120_000 }, async () => {
    // A pull request from a fork has no right to comment, which must not fail its build.
    for (const token of ['wrong', ''])
      expect(await comment(token)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^::warning .*pull-requests: write.*\n$/),
      })
    const missing = await run({ SUITE: 'nowhere.yaml', GITHUB_REF_NAME: 'main' })
    expect(missing).toMatchObject({ code: 2, outputs: { 'exit-code': '2', run: '' } })
    expect(missing.stderr).toContain('there is no such file')
  })

  it(
    'updates the note on a GitLab merge request; one that is refused does not fail the job',
    { timeout: 240_000 },
    async () => {
      const author = { id: 41, username: 'project_1_bot' }
      const others = { id: 42, username: 'mallory' }
      const notes = [
        { id: 4, body: '<!-- benchmaker -->\nA text of someone else', author: others },
        { id: 5, body: 'someone said so', author: others },
        { id: 6, body: '<!-- benchmaker -->\nolder', author },
        { id: 7, body: '<!-- benchmaker -->\nA text of someone else', author: others },
      ]
      const requests: string[] = []
      const gitlab = createServer((request, response) => {
        requests.push(`${request.method} ${request.url}`)
        const isAllowed = request.headers['private-token'] === 'secret'
        request.resume().on('end', () => {
          response
            .writeHead(isAllowed ? 200 : 401)
            .end(
              JSON.stringify(isAllowed ? (request.url === '/user' ? author : notes) : { message: '401 Unauthorized' }),
            )
        })
      })
      await new Promise<void>((resolve) => gitlab.listen(0, '127.0.0.1', resolve))
      const runJob = (token: string) =>
        // As GitLab runs scripts where there is a Bash.
        start('bash', ['-eo', 'pipefail', '-c', gitlabJob.script.join('\n')], {
          cwd: folder,
          env: {
            BENCHMAKER_COMMAND: `${process.execPath} ${join(root, 'dist/cli.js')}`,
            SUITE: 'suite.yaml',
            MODELS: 'demo/good,demo/poor',
            MAX_COST: '1',
            CI_COMMIT_REF_NAME: 'feature/y',
            CI_DEFAULT_BRANCH: 'main',
            CI_API_V4_URL: `http://127.0.0.1:${(gitlab.address() as AddressInfo).port}`,
            CI_PROJECT_ID: '1',
            CI_MERGE_REQUEST_IID: '2',
            GITLAB_TOKEN: token,
            HOME: folder,
          },
        })
      expect(await runJob('secret')).toMatchObject({ code: 0 })
      expect(requests).toEqual([
        'GET /user',
        'GET /projects/1/merge_requests/2/notes?per_page=100',
        'PUT /projects/1/merge_requests/2/notes/6',
      ])
      notes.splice(2, 1)
      expect(await runJob('secret')).toMatchObject({ code: 0 })
      expect(requests.at(-1)).toBe('POST /projects/1/merge_requests/2/notes')
      expect(readFileSync(join(folder, 'comment.md'), 'utf8')).toMatch(/^<!-- benchmaker -->\n### Sums/)
      expect(await runJob('wrong')).toMatchObject({ code: 0, stderr: expect.stringContaining('No note was written') })
      await new Promise((resolve) => gitlab.close(resolve))
    },
  )
})
