import { describe, expect, it } from 'vitest'
import { ClientError, InputError, ScoringError, StorageError } from '../contract/index.ts'
import { createLogger, readLogSettings, type Logger } from './logger.ts'

function createTested(format: 'json' | 'text', level: 'debug' | 'info' = 'info'): { logger: Logger; lines: string[] } {
  const lines: string[] = []
  const redact = (text: string) => text.replaceAll('sk-canary-key', '[key]')
  const logger = createLogger({ format, level, now: () => 0, redact, write: (line) => lines.push(line) })
  return { logger, lines }
}

describe('settings', () => {
  it('no log without BENCHMAKER_LOG; a wrong value is refused with the ones that exist', () => {
    expect(readLogSettings({})).toBeUndefined()
    expect(readLogSettings({ BENCHMAKER_LOG: '', BENCHMAKER_LOG_LEVEL: 'nonsense' })).toBeUndefined()
    expect(readLogSettings({ BENCHMAKER_LOG: 'json' })).toEqual({ format: 'json', level: 'info' })
    expect(readLogSettings({ BENCHMAKER_LOG: 'text', BENCHMAKER_LOG_LEVEL: 'warn' })).toEqual({
      format: 'text',
      level: 'warn',
    })
    expect(() => readLogSettings({ BENCHMAKER_LOG: 'yes' })).toThrow('BENCHMAKER_LOG is yes: it must be json or text')
    expect(() => readLogSettings({ BENCHMAKER_LOG: 'json', BENCHMAKER_LOG_LEVEL: 'loud' })).toThrow(
      'BENCHMAKER_LOG_LEVEL is loud: it must be one of debug, info, warn, error',
    )
  })
})

describe('lines', () => {
  it('JSON has one object per line; text has pairs that a reader can tell apart', () => {
    const fields = { route: '/api/runs/:id', status: 200, ms: 3, person: undefined, note: 'a "b"\nc' }
    const json = createTested('json')
    json.logger.log('info', 'request', fields)
    expect(json.lines).toEqual([
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"request","route":"/api/runs/:id","status":200,"ms":3,"note":"a \\"b\\"\\nc"}\n',
    ])
    const text = createTested('text')
    text.logger.log('info', 'request', fields)
    expect(text.lines).toEqual([
      '1970-01-01T00:00:00.000Z info request route=/api/runs/:id status=200 ms=3 note="a \\"b\\"\\nc"\n',
    ])
  })

  it('what is below the level is left out', () => {
    const { logger, lines } = createTested('json')
    logger.log('debug', 'hidden')
    logger.log('error', 'shown')
    expect(lines).toHaveLength(1)
  })

  it('an error is written with its causes', () => {
    const { logger, lines } = createTested('json')
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    logger.log('error', 'error', {}, new StorageError('The database does not respond.', { cause: refused }))
    logger.log('error', 'error', {}, new TypeError('x is not a function'))
    const [stored, mistake] = lines.map((line) => JSON.parse(line).error)
    expect(stored).toEqual({
      name: 'StorageError',
      message: 'The database does not respond.',
      cause: { name: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
    })
    expect(mistake).toMatchObject({ name: 'TypeError', stack: expect.stringContaining('logger.test.ts') })
    const text = createTested('text')
    text.logger.log('error', 'error', {}, new StorageError('No reply.', { cause: refused }))
    expect(text.lines[0]).toContain('error="StorageError No reply. (cause: Error ECONNREFUSED connect ECONNREFUSED)"\n')
  })
})

it.each(['json', 'text'] as const)(
  'what a user wrote neither starts a line nor acts on a terminal, in %s',
  (format) => {
    const { logger, lines } = createTested(format)
    logger.log('info', 'note', { message: 'a\nb', model: '\u001b[31mred', other: '\u009b31m\u007f\u2028x\u0085' })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^[^\p{Cc}\u2028\u2029]+\n$/u)
  },
)

describe('secrets', () => {
  it.each([
    ['a key that is known', 'refused: sk-canary-key'],
    ['the password of an address', 'cannot connect to postgres://bench:canary-password@db.example/bench'],
    ['a header', 'Authorization: Bearer canary.token-123456'],
    ['a cookie', '{"cookie":"benchmaker-4747=canary-session"}'],
    ['a query', 'GET /?token=canary-token-42&x=1'],
    ['a pair', "password='canary-password'"],
  ])('%s is not written, wherever it stands', (_name, text) => {
    const { logger, lines } = createTested('json')
    logger.log('warn', 'note', { message: text })
    logger.log('error', 'error', {}, new StorageError(text, { cause: new Error(text) }))
    expect(lines.join('')).not.toContain('canary')
    expect(lines).toHaveLength(2)
  })

  it('texts that may quote a prompt, an answer or an input are left out of errors, also as a cause', () => {
    const { logger, lines } = createTested('json')
    const errors = [
      new ClientError('refused', 'invalid prompt: "canary"', { status: 400 }),
      new ScoringError('judge-unreadable', 'no number in "canary"'),
      new InputError('case canary is unknown'),
      new SyntaxError(`Unexpected token 'c', "canary" is not valid JSON`),
      Object.assign(new Error('duplicate key'), { detail: 'Key (prompt)=(canary) already exists.' }),
      'canary',
    ]
    for (const error of errors) {
      logger.log('error', 'error', {}, error)
      logger.log('error', 'error', {}, new StorageError('failed', { cause: error }))
    }
    expect(lines.join('')).not.toContain('canary')
    expect(JSON.parse(lines[0]!).error).toMatchObject({ name: 'ClientError', code: 'refused', status: 400 })
    expect(JSON.parse(lines[2]!).error).toMatchObject({ name: 'ScoringError', code: 'judge-unreadable' })
  })

  it('the stack of an error does not bring its message back', () => {
    const { logger, lines } = createTested('json')
    logger.log('error', 'error', {}, new ClientError('broken', 'line one\n    at canary (secret.ts:1:1)'))
    expect(lines.join('')).not.toContain('canary')
  })
})
