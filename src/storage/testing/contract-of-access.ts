import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runRequestSchema, type Account, type Invitation, type Storage } from '../../contract/index.ts'
import { answerCell, cell, createSample, ended, hostileTexts } from './samples.ts'
import type { TestedDriver } from './tested-drivers.ts'

const account = (id: string, more: Partial<Account> = {}): Account => ({
  id,
  login: `${id}@example.org`,
  name: id,
  role: 'runner',
  createdAt: 1000,
  ...more,
})

const invitation = (hash: string, more: Partial<Invitation> = {}): Invitation => ({
  hash,
  login: 'new@example.org',
  role: 'viewer',
  createdAt: 1000,
  endsAt: 2000,
  ...more,
})

const request = (more: object) => runRequestSchema.parse({ suiteId: 'capitals', models: ['good'], ...more })

/** Rules for accounts, keys, budgets and the log (src/contract/team/access.ts). */
export function describeAccess(driver: TestedDriver): void {
  describe('access', () => {
    let storage: Storage
    beforeEach(async () => {
      storage = await (await driver.createDatabase()).open()
    })
    afterEach(() => storage.close())

    it('finds an account by id, login and subject', async () => {
      const stored = account('ada', { password: 'hash', subject: 'https://id.example 7', disabledAt: 1500 })
      expect(await storage.access.createAccount(stored)).toBe('created')
      expect(await storage.access.createAccount(account('other', { login: stored.login }))).toBe('login-taken')
      for (const by of [{ id: 'ada' }, { login: stored.login }, { subject: 'https://id.example 7' }])
        expect(await storage.access.findAccount(by)).toStrictEqual(stored)
      expect(await storage.access.findAccount({ login: 'ADA@EXAMPLE.ORG' })).toBeUndefined()
    })

    it('an invitation makes one account, and none after its end', async () => {
      const { access } = storage
      await access.saveInvitation(invitation('first'))
      await access.saveInvitation(invitation('late', { endsAt: 1000 }))
      const tries = await Promise.all(['a', 'b', 'c'].map((id) => access.createAccount(account(id), 'first')))
      expect(tries.toSorted()).toEqual(['created', 'invitation-over', 'invitation-over'])
      expect(await access.createAccount(account('d'), 'late')).toBe('invitation-over')
      expect(await access.createAccount(account('e'), 'unknown')).toBe('invitation-over')
      expect(await access.listAccounts()).toHaveLength(1)
      expect((await access.listInvitations()).map(({ hash }) => hash)).toEqual(['late'])
      expect([await access.deleteInvitation('first'), await access.deleteInvitation('late')]).toEqual([false, true])
    })

    it('a change of role, password or state ends the sessions, a change of name does not', async () => {
      const { access } = storage
      await access.createAccount(account('root', { role: 'admin' }))
      await access.createAccount(account('ada'))
      const open = (hash: string) => access.openSession({ hash, account: 'ada', openedAt: 1000, endsAt: 5000 })
      await open('one')
      await access.changeAccount('ada', { name: 'Ada' })
      expect(await access.findSession('one', 4999)).toMatchObject({ id: 'ada', name: 'Ada' })
      expect(await access.findSession('one', 5000)).toBeUndefined()
      for (const change of [{ role: 'viewer' }, { password: 'new' }, { disabledAt: 1 }] as const) {
        await access.changeAccount('ada', change)
        expect(await access.findSession('one', 2000)).toBeUndefined()
        await access.changeAccount('ada', { disabledAt: null })
        await open('one')
        expect(await access.findSession('one', 2000)).toBeDefined()
        await access.endSession('one')
        await open('one')
      }
      await access.endSession('one')
      expect(await access.findSession('one', 2000)).toBeUndefined()
      await open('one')
      await open('two')
      await access.endSessions('ada')
      expect([await access.findSession('one', 2000), await access.findSession('two', 2000)]).toEqual([
        undefined,
        undefined,
      ])
    })

    it('a login changes unless another account has it, and keeps the sessions', async () => {
      const { access } = storage
      await access.createAccount(account('ada'))
      await access.createAccount(account('bob'))
      await access.openSession({ hash: 'one', account: 'ada', openedAt: 1000, endsAt: 5000 })
      await access.changeAccount('ada', { login: 'lovelace' })
      expect(await access.findSession('one', 2000)).toMatchObject({ id: 'ada', login: 'lovelace' })
      const { login } = account('bob')
      await access.changeAccount('ada', { login, name: 'Ada' })
      expect(await access.findAccount({ id: 'ada' })).toMatchObject({ login: 'lovelace', name: 'Ada' })
      expect(await access.findAccount({ login })).toMatchObject({ id: 'bob' })
    })

    it('keeps one admin, also when two demote each other at once', async () => {
      const { access } = storage
      await access.createAccount(account('ada', { role: 'admin' }))
      await access.createAccount(account('bob', { role: 'admin' }))
      const outcomes = await Promise.all([
        access.changeAccount('ada', { role: 'viewer' }),
        access.changeAccount('bob', { disabledAt: 5 }),
      ])
      expect(outcomes.toSorted()).toEqual(['changed', 'last-admin'])
      expect(await access.changeAccount('nobody', { role: 'admin' })).toBe('missing')
    })

    it('keeps sealed keys, and replaces them all or none', async () => {
      const { access } = storage
      await access.saveSealedKey({ name: 'openai', sealed: 'a', savedAt: 1, savedBy: 'Ada' })
      await access.saveSealedKey({ name: 'endpoint:x', sealed: 'b', savedAt: 2 })
      await access.saveSealedKey({ name: 'openai', sealed: 'c', savedAt: 3 })
      const changes = [
        { name: 'openai', from: 'c', to: 'C' },
        { name: 'endpoint:x', from: 'old', to: 'B' },
      ]
      expect(await access.replaceSealedKeys(changes)).toBe(false)
      expect(await access.listSealedKeys()).toStrictEqual([
        { name: 'endpoint:x', sealed: 'b', savedAt: 2 },
        { name: 'openai', sealed: 'c', savedAt: 3 },
      ])
      expect(
        await access.replaceSealedKeys(changes.map((change) => ({ ...change, from: change.to.toLowerCase() }))),
      ).toBe(true)
      expect((await access.listSealedKeys()).map(({ sealed }) => sealed)).toEqual(['B', 'C'])
      expect([await access.deleteSealedKey('openai'), await access.deleteSealedKey('openai')]).toEqual([true, false])
    })

    it('the log keeps any text, and finds words whatever their case', async () => {
      const { access } = storage
      for (const [index, text] of hostileTexts.entries())
        await access.addActivity({ at: index, action: 'run started', object: text, person: { id: '1', name: text } })
      await access.addActivity({ at: 99, action: 'Key Saved', object: 'openai', detail: 'ends' })
      const all = await access.listActivity()
      expect(all.total).toBe(hostileTexts.length + 1)
      expect(all.entries[0]).toStrictEqual({ at: 99, action: 'Key Saved', object: 'openai', detail: 'ends' })
      expect(all.entries.slice(1).map(({ object }) => object)).toEqual(hostileTexts.toReversed())
      expect((await access.listActivity({ words: ['key', 'OPENAI'] })).entries).toHaveLength(1)
      const page = await access.listActivity({ words: ['started'], limit: 1, offset: 1 })
      expect([page.entries.length, page.total]).toEqual([1, hostileTexts.length])
    })

    it('budgets: sums what runs of a person and a project cost, deleted ones too', async () => {
      const { access } = storage
      await access.saveBudget({ kind: 'person', id: 'ada' }, 12.5)
      await access.saveBudget({ kind: 'project', id: 'x' }, 3)
      await access.saveBudget({ kind: 'project', id: 'x' }, undefined)
      expect(await access.listBudgets()).toStrictEqual([{ owner: { kind: 'person', id: 'ada' }, monthly: 12.5 }])

      const startedBy = { id: 'ada', name: 'Ada' }
      await createSample(storage, 'one', { request: request({ startedBy, project: 'x' }) })
      await createSample(storage, 'two', { request: request({ startedBy }) })
      await createSample(storage, 'three', { request: request({ project: 'x' }) })
      await createSample(storage, 'four')
      for (const id of ['one', 'two', 'three', 'four'])
        await answerCell(storage, cell(id), { end: ended({ cost: 0.25 }) })
      const sums = async () => [
        await access.sumSpending({ kind: 'person', id: 'ada' }, 0),
        await access.sumSpending({ kind: 'project', id: 'x' }, 0),
        await access.sumSpending({ kind: 'person', id: 'bob' }, 0),
        await access.sumSpending({ kind: 'person', id: 'ada' }, Number.MAX_SAFE_INTEGER),
      ]
      expect(await sums()).toEqual([0.5, 0.5, 0, 0])
      expect(await access.listSpending(0)).toStrictEqual([
        { owner: { kind: 'person', id: 'ada' }, spent: 0.5 },
        { owner: { kind: 'project', id: 'x' }, spent: 0.5 },
      ])
      await access.keepSpending('one')
      await access.keepSpending('one')
      await access.keepSpending('four')
      expect(await sums()).toEqual([0.5, 0.5, 0, 0])
      await storage.deleteRun('one')
      await storage.deleteRun('four')
      expect(await sums()).toEqual([0.5, 0.5, 0, 0])
      await access.addSpending({ person: 'ada', at: 2_000_000_000_000, cost: 0.125 })
      expect(await sums()).toEqual([0.625, 0.5, 0, 0])
      expect(await access.sumSpending({ kind: 'person', id: 'ada' }, 2_000_000_000_000)).toBe(0.125)
      const [listed] = await storage.listRuns({ ids: ['two'] })
      expect(listed?.startedBy).toStrictEqual(startedBy)
      expect((await storage.listRuns({ words: ['ada'] })).map(({ id }) => id)).toEqual(['two'])
    })
  })
}
