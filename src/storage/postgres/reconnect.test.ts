import { expect, it } from 'vitest'
import { InputError, StorageError } from '../../contract/index.ts'
import { createReconnector } from './reconnect.ts'

const lost = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))

it('calls share one deadline: after it, the next call tries once, and a reply starts it anew', async () => {
  const reconnect = createReconnector({ place: 'The database', waitMs: 200 })
  let tries = 0
  const attempt = () => (tries++, lost())
  await expect(reconnect(attempt)).rejects.toThrow(StorageError)
  expect(tries).toBeGreaterThan(1)
  tries = 0
  await expect(reconnect(attempt)).rejects.toThrow(/was away for .*refused/)
  expect(tries).toBe(1)
  expect(await reconnect(async () => 'back')).toBe('back')
  await expect(reconnect(attempt)).rejects.toThrow(StorageError)
  expect(tries).toBeGreaterThan(2)
})

it('only a lost connection is repeated', async () => {
  const reconnect = createReconnector({ place: 'The database', waitMs: 10_000 })
  let tries = 0
  const refuse = async () => {
    tries++
    throw new InputError('There is no run "x"')
  }
  await expect(reconnect(refuse)).rejects.toThrow(InputError)
  expect(tries).toBe(1)
})

it('a server that is full is not away: says so', async () => {
  const reconnect = createReconnector({ place: 'The database', waitMs: 100 })
  const full = () => Promise.reject(Object.assign(new Error('sorry, too many clients already'), { code: '53300' }))
  await expect(reconnect(full)).rejects.toThrow(/accepted no more connections for .*raise max_connections/)
})
