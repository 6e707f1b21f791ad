// Writes the text of a file as a comment on a pull request. A comment of the same account that begins with the same marker
// is updated, so that there is one comment however often the build runs: `node comment.mjs comment.md`
import { readFileSync } from 'node:fs'

const {
  GITHUB_API_URL = 'https://api.github.com',
  GITHUB_GRAPHQL_URL = `${GITHUB_API_URL}/graphql`,
  GITHUB_REPOSITORY,
  GITHUB_TOKEN,
  PULL_REQUEST,
  REPORT_NAME,
} = process.env
/** GitHub's limit is 65,536 characters. */
const MAX_LENGTH = 65_000
const PAGE_SIZE = 100
const MAX_PAGES = 30
/** The account of the token that GitHub gives to every build. */
const ACTIONS_ACCOUNT = 'github-actions[bot]'

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** A pull request from a fork may not be commented on: that is no reason to fail its build. */
function refuse(reason) {
  process.stdout.write(
    `::warning title=Benchmaker::No comment was written: ${reason}. Give the job \`permissions: { pull-requests: write }\`; pull requests from forks cannot be commented on. The report is in the summary of the build.\n`,
  )
  process.exit(0)
}

if (!GITHUB_TOKEN) refuse('there is no token')
for (const [name, value] of Object.entries({ GITHUB_REPOSITORY, PULL_REQUEST }))
  if (!value) fail(`${name} is not set: the comment cannot be written`)

function send(url, { method = 'GET', body } = {}) {
  return fetch(url, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${GITHUB_TOKEN}`,
      'content-type': 'application/json',
      'user-agent': 'benchmaker',
      'x-github-api-version': '2022-11-28',
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
}

async function ask(path, { method = 'GET', body } = {}) {
  const response = await send(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`, { method, body })
  if (response.ok) return response.json()
  if (response.status === 403 || response.status === 401) refuse(`GitHub answered ${response.status}`)
  throw new Error(`GitHub answered ${response.status} to ${method} ${path}: ${await response.text()}`)
}

async function readAccount() {
  const user = await send(`${GITHUB_API_URL}/user`)
  const { login } = user.ok ? await user.json() : {}
  if (login) return login
  // Tokens of apps, such as the one of the build, may not read /user.
  const viewer = await send(GITHUB_GRAPHQL_URL, { method: 'POST', body: { query: '{ viewer { login } }' } })
  const { data } = viewer.ok ? await viewer.json() : {}
  return data?.viewer?.login ?? ACTIONS_ACCOUNT
}

/** Anyone can write the marker, and the token may edit anyone's comments: only one of its own account is updated. */
async function findComment(marker) {
  let account
  for (let page = 1; page <= MAX_PAGES; page++) {
    const comments = await ask(`/issues/${PULL_REQUEST}/comments?per_page=${PAGE_SIZE}&page=${page}`)
    const marked = comments.filter(({ body }) => body?.startsWith(marker))
    if (marked.length > 0) account ??= await readAccount()
    const found = marked.find(({ user }) => user?.login === account)
    if (found) return found
    if (comments.length < PAGE_SIZE) return undefined
  }
  return undefined
}

const [file] = process.argv.slice(2)
if (!file) fail('which file? node comment.mjs comment.md')
const text = readFileSync(file, 'utf8')
const [written = '', ...lines] = text.split('\n')
if (!written.startsWith('<!--')) fail(`${file} does not begin with a marker: write it with --format pr-comment`)
// Each report of a build has a comment of its own.
const marker = REPORT_NAME ? `<!-- benchmaker ${REPORT_NAME.replaceAll(/[<>-]+/g, ' ')} -->` : written
const whole = [marker, ...lines].join('\n')
const body = whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH)}\n\n…` : whole

try {
  const comment = await findComment(marker)
  const { html_url: address } = comment
    ? await ask(`/issues/comments/${comment.id}`, { method: 'PATCH', body: { body } })
    : await ask(`/issues/${PULL_REQUEST}/comments`, { method: 'POST', body: { body } })
  process.stdout.write(`${comment ? 'Updated' : 'Wrote'} ${address ?? 'the comment'}\n`)
} catch (error) {
  fail(error.message)
}
