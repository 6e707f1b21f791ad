import { describe, expect, it } from 'vitest'
import { redactSecrets } from './redact-secrets.ts'

/** Put together here, so that no scanner takes this file for a leak. */
const make = (...parts: string[]) => parts.join('')
const long = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'

const planted: [kind: string, secret: string, text?: (secret: string) => string][] = [
  ['key', make('sk-', 'ant-api03-', long)],
  ['key', make('sk-', 'proj-', long)],
  ['key', make('sk-', 'or-v1-', long)],
  ['key', make('gsk_', long)],
  ['key', make('hf_', long)],
  ['key', make('hf_', 'abcdefghijklmnopqrstuvwxyzABCDEFGH')],
  ['key', make('xai-', long)],
  ['key', make('rk_', 'live_', long)],
  ['key', make('AIza', 'SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q')],
  ['key', make('AKIA', 'IOSFODNN7EXAMPLE')],
  ['token', make('ghp_', long)],
  ['token', make('github_pat_', long)],
  ['token', make('glpat-', 'x1Y2z3A4b5C6d7E8f9G0')],
  ['token', make('xoxb-', '123456789012-abcdefABCDEF')],
  ['token', make('npm_', long)],
  ['token', make('pypi-', 'AgEIcHlwaS5vcmc', long)],
  ['token', make('SG.', 'a1b2c3d4e5f6g7h8i9.', long)],
  ['token', make('ya29.', long)],
  ['token', make('eyJhbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxMjM0In0.', 'SflKxwRJSMeKKF2QT4')],
  ['token', make('123456789:', 'AA', 'HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw')],
  [
    'token',
    make('123456789:', 'AA', 'HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'),
    (secret) => `https://api.telegram.org/bot${secret}/getMe`,
  ],
  ['token', 'a1b2c3d4e5f6g7h8', (secret) => `Authorization: Bearer ${secret}`],
  ['password', 'dXNlcjpwYXNzd29yZA==', (secret) => `{"Authorization": "Basic x", "api_key": "${secret}"}`],
  ['password', 'hunter2hunter2', (secret) => `postgres://admin:${secret}@db.example.org/app`],
  ['password', 'correct-horse-battery', (secret) => `export DB_PASSWORD=${secret}\n`],
  ['password', 'Tr0ub4dor', (secret) => `mysql --password=${secret} -u root`],
  ['password', 's3cr3t-value', (secret) => `{\\"client_secret\\": \\"${secret}\\"}`],
  ['password', make('Eby8vdM02xNOcqFlqUwJPL', 'lmEtlCDXJ1=='), (secret) => `AccountName=x;AccountKey=${secret};`],
  ['password', 'open-sesame', (secret) => `curl -u admin:${secret} https://example.org`],
  ['password', 's3cr3tvalue', (secret) => `password: ${secret}`],
  ['cookie', 'session=abc123; theme=dark', (secret) => `Set-Cookie: ${secret}`],
  ['private key', make('-----BEGIN ', 'RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----')],
  ['private key', make('-----BEGIN ', 'OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEAAAAA')],
  ['home folder', '/home/mia.li', (secret) => `cat ${secret}/work/notes.md`],
  ['home folder', '/Users/mia', (secret) => `cd "${secret}/Library"`],
  ['home folder', 'C:\\Users\\Mia Li', (secret) => `${secret}\\Desktop`.replace(' Li', '')],
  ['mail address', 'mia.li+test@mail.example.org', (secret) => `From: Mia <${secret}>`],
]

describe('secrets planted in a text', () => {
  it.each(planted)('%s %s', (kind, secret, write = (text) => `before ${text} after`) => {
    const text = write(secret)
    const { value, removed } = redactSecrets({ steps: [{ message: text }] })
    const left = value.steps[0]!.message
    for (const part of secret.split('\n').filter((line) => text.includes(line) && line.length > 3))
      expect(left).not.toContain(kind === 'home folder' ? part.split(/[/\\]/).at(-1)!.replace(' Li', '') : part)
    expect(removed.map((one) => one.kind)).toContain(kind)
    expect(removed[0]?.where).toBe('steps[0].message')
    expect(JSON.stringify(removed)).not.toContain(secret)
  })
})

it('takes out fields by their names, keys of objects, and counts what is repeated', () => {
  const { value, removed } = redactSecrets({
    env: { OPENAI_API_KEY: 'anything at all', accessToken: 'abcdef', PATH: '/usr/bin' },
    files: { '/home/mia/a.ts': 'x', '/home/mia/b.ts': 'y' },
    counts: { prompt_tokens: 12, max_tokens: '4096', tokens: 'many' },
    session_id: '4d5611e5-241a-462a-8d15-5122611a9569',
  })
  expect(value).toEqual({
    env: { OPENAI_API_KEY: '[removed password]', accessToken: '[removed password]', PATH: '/usr/bin' },
    files: { '~/a.ts': 'x', '~/b.ts': 'y' },
    counts: { prompt_tokens: 12, max_tokens: '4096', tokens: 'many' },
    session_id: '4d5611e5-241a-462a-8d15-5122611a9569',
  })
  expect(removed.find(({ kind }) => kind === 'home folder')).toMatchObject({ count: 2, shown: '/home…' })
})

it.each([
  'const password: string = readPassword()',
  'The token count is 512 and max_tokens=4096.',
  'Use a secret: required',
  'See /usr/lib/node_modules and /Users/Shared/fonts',
  'git@github: no mail address, @scope/package neither',
  'skip-to-content and task-list-with-many-words-in-it are class names',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'order W2378156, user mia_li_3668, gift_card_8190333',
])('leaves alone: %s', (text) => {
  expect(redactSecrets({ text })).toEqual({ value: { text }, removed: [] })
})

it('is quick on long texts without secrets', () => {
  const text = 'The quick brown fox jumps over the lazy dog, twice = 2: "token" or key. '.repeat(20_000)
  expect(redactSecrets(text).removed).toEqual([])
})
