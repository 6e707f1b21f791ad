import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashSecret } from '../../access/index.ts'
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
    const { cookie, key } = sessions.exchange(token)!
    const file = join(dataFolder, 'sessions.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    for (const hidden of [cookie, key, token]) expect(readFileSync(file, 'utf8')).not.toContain(hidden)
    const reopened = openSessions({ dataFolder, now: () => 29 * DAY })
    expect([reopened.isOpen(cookie), reopened.hasKey(key)]).toEqual([true, true])
    expect([reopened.isOpen(key), reopened.hasKey(cookie)]).toEqual([false, false])
    expect(reopened.exchange(token)).toBeUndefined()
  })
  it('are not opened by a link that is too old or used; its use is reported once', () => {
    let now = 0
    let used = 0
    const sessions = openSessions({ dataFolder, now: () => now })
    const options = { lifeMs: 1000, onUsed: () => used++ }
    const [first, second] = [sessions.createToken(options), sessions.createToken(options)]
    now = 1000
    expect(sessions.exchange(first)).toEqual({ cookie: expect.any(String), key: expect.any(String) })
    expect(sessions.exchange(first)).toBeUndefined()
    now = 1001
    expect(sessions.exchange(second)).toBeUndefined()
    expect(used).toBe(1)
  })
  it('expire after 30 days', () => {
    let now = 0
    const sessions = openSessions({ dataFolder, now: () => now })
    const { cookie, key } = sessions.exchange(sessions.createToken())!
    now = 31 * DAY
    for (const opened of [sessions, openSessions({ dataFolder, now: () => now })])
      expect([opened.isOpen(cookie), opened.hasKey(key)]).toEqual([false, false])
  })
  it('in a damaged file are lost, but new ones can be opened', () => {
    for (const text of ['', '{', '[]', '{"sessions":[{"hash":1}]}']) {
      writeFileSync(join(dataFolder, 'sessions.json'), text)
      const sessions = openSessions({ dataFolder, now: () => 0 })
      expect(sessions.isOpen('')).toBe(false)
      expect(sessions.exchange(sessions.createToken())).toEqual({ cookie: expect.any(String), key: expect.any(String) })
    }
  })
  it('of earlier versions have no key', () => {
    const hash = hashSecret('cookie')
    writeFileSync(join(dataFolder, 'sessions.json'), JSON.stringify({ sessions: [{ hash, openedAt: 0 }] }))
    const sessions = openSessions({ dataFolder, now: () => 0 })
    expect([sessions.isOpen('cookie'), sessions.hasKey(''), sessions.hasKey('cookie')]).toEqual([true, false, false])
  })
  it('are opened only by the last twenty unused links', () => {
    const sessions = openSessions({ dataFolder, now: () => 0 })
    const [first, ...others] = Array.from({ length: 21 }, () => sessions.createToken())
    expect(sessions.exchange(first!)).toBeUndefined()
    for (const token of others)
      expect(sessions.exchange(token)).toEqual({ cookie: expect.any(String), key: expect.any(String) })
  })
})
