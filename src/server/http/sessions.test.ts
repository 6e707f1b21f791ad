import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSessions } from './sessions.ts'

const DAY = 24 * 3_600_000
let dataFolder: string
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'benchmaker-sessions-'))
})
afterEach(() => rmSync(dataFolder, { recursive: true }))

describe('sessions', () => {
  it('outlive the server; the file holds only their hashes and only its owner can read it', () => {
    const sessions = openSessions({ dataFolder, now: () => 0 })
    const token = sessions.createToken()
    const secret = sessions.exchange(token)!
    const file = join(dataFolder, 'sessions.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    for (const hidden of [secret, token]) expect(readFileSync(file, 'utf8')).not.toContain(hidden)
    const reopened = openSessions({ dataFolder, now: () => 29 * DAY })
    expect(reopened.isOpen(secret)).toBe(true)
    expect(reopened.exchange(token)).toBeUndefined()
  })
  it('are not opened by a link that is too old or used; its use is reported once', () => {
    let now = 0
    let used = 0
    const sessions = openSessions({ dataFolder, now: () => now })
    const options = { lifeMs: 1000, onUsed: () => used++ }
    const [first, second] = [sessions.createToken(options), sessions.createToken(options)]
    now = 1000
    expect(sessions.exchange(first)).toEqual(expect.any(String))
    expect(sessions.exchange(first)).toBeUndefined()
    now = 1001
    expect(sessions.exchange(second)).toBeUndefined()
    expect(used).toBe(1)
  })
  it('expire after 30 days', () => {
    let now = 0
    const sessions = openSessions({ dataFolder, now: () => now })
    const secret = sessions.exchange(sessions.createToken())!
    now = 31 * DAY
    expect(sessions.isOpen(secret)).toBe(false)
    expect(openSessions({ dataFolder, now: () => now }).isOpen(secret)).toBe(false)
  })
  it('in a damaged file are lost, but new ones can be opened', () => {
    for (const text of ['', '{', '[]', '{"sessions":[{"hash":1}]}']) {
      writeFileSync(join(dataFolder, 'sessions.json'), text)
      const sessions = openSessions({ dataFolder, now: () => 0 })
      expect(sessions.isOpen('')).toBe(false)
      expect(sessions.exchange(sessions.createToken())).toEqual(expect.any(String))
    }
  })
  it('are opened only by the last twenty unused links', () => {
    const sessions = openSessions({ dataFolder, now: () => 0 })
    const [first, ...others] = Array.from({ length: 21 }, () => sessions.createToken())
    expect(sessions.exchange(first!)).toBeUndefined()
    for (const token of others) expect(sessions.exchange(token)).toEqual(expect.any(String))
  })
})
