import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runRequestSchema, type Account, type Invitation, type Storage } from '../../contract/index.ts'
import {
  answerCell,
  cell,
  cellsOf,
  createSample,
  ended,
  header,
  hostileTexts,
  plainAnswer,
  startAttempt,
} from './samples.ts'
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

    it('an accepted invitation ends the others of that person', async () => {
      const { access } = storage
      await access.saveInvitation(invitation('older', { login: 'ada' }))
      await access.saveInvitation(invitation('others', { login: 'bob' }))
      await access.saveInvitation(invitation('newer', { login: 'ada' }))
      expect(await access.useInvitation('newer', 1)).toBe(true)
      expect(await access.useInvitation('older', 1)).toBe(false)
      expect(await access.useInvitation('others', 1)).toBe(true)
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
      expect(await access.listInvitations()).toEqual([])
      await access.saveInvitation(invitation('open'))
      expect([await access.deleteInvitation('first'), await access.deleteInvitation('open')]).toEqual([false, true])
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

    it('keeps tokens by owner, with their last use, until they are revoked', async () => {
      const { access } = storage
      await access.createAccount(account('ada'))
      await access.createAccount(account('bob'))
      const token = (hash: string, more: object = {}) =>
        ({ hash, account: 'ada', name: `of ${hash}`, role: 'viewer', createdAt: 1000, endsAt: 9000, ...more }) as const
      for (const [index, name] of hostileTexts.entries())
        await access.saveApiToken(token(`text ${index}`, { name, account: 'bob' }))
      await access.saveApiToken(token('old'))
      await access.saveApiToken(token('new', { createdAt: 2000, role: 'admin', usedAt: 3000.5 }))
      expect(await access.listApiTokens('ada')).toStrictEqual([
        token('new', { createdAt: 2000, role: 'admin', usedAt: 3000.5 }),
        token('old'),
      ])
      expect((await access.listApiTokens('bob')).map(({ name }) => name).toSorted()).toEqual(
        [...hostileTexts].toSorted(),
      )
      await access.noteApiTokenUse('old', 4000)
      expect(await access.findApiToken('old')).toStrictEqual(token('old', { usedAt: 4000 }))
      expect(await access.findApiToken('unknown')).toBeUndefined()
      expect([await access.deleteApiTokens('bob', 'old'), await access.deleteApiTokens('ada', 'old')]).toEqual([
        false,
        true,
      ])
      expect(await access.findApiToken('old')).toBeUndefined()
      expect([await access.deleteApiTokens('ada'), await access.deleteApiTokens('ada')]).toEqual([true, false])
      expect(await access.listApiTokens('ada')).toEqual([])
      expect(await access.listApiTokens('bob')).toHaveLength(hostileTexts.length)
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
      await storage.setRunStatus('two', 'completed', { completedAt: 1_700_000_002_000 })
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

    it('budgets: a request counts in the month in which it was sent, whenever its run ended', async () => {
      const { access } = storage
      const [october, november] = [Date.UTC(2026, 9, 31, 23, 59), Date.UTC(2026, 10, 1)]
      await createSample(storage, 'one', { request: request({ startedBy: { id: 'ada', name: 'Ada' } }) })
      const start = (startedAt: number, purpose: 'answer' | 'judge') =>
        storage.startAttempt({ ...cell('one'), purpose, askedModel: 'm', startedAt })
      const sums = () =>
        Promise.all([0, november].map((from) => access.sumSpending({ kind: 'person', id: 'ada' }, from)))
      await storage.endAttempt(await start(october, 'answer'), ended({ cost: 1 }))
      const late = await start(october, 'answer')
      await storage.setRunStatus('one', 'completed', { completedAt: october })
      expect(await sums()).toEqual([1, 0])
      // A judge that scores it again, and an answer that a frozen worker delivers late.
      await storage.endAttempt(await start(november, 'judge'), ended({ cost: 0.5 }))
      await storage.endAttempt(late, ended({ cost: 0.25 }))
      expect(await sums()).toEqual([1.75, 0.5])
      await storage.setRunStatus('one', 'completed', { completedAt: november })
      expect(await sums()).toEqual([1.75, 0.5])
      await storage.deleteRun('one')
      expect(await sums()).toEqual([1.75, 0.5])
    })

    it('budgets: a request counts for whoever pays for the run when it ends', async () => {
      const { access } = storage
      const sums = () => Promise.all(['ada', 'bob'].map((id) => access.sumSpending({ kind: 'person', id }, 0)))
      const judge = async (id: string) => {
        const attempt = { ...cell(id), purpose: 'judge' as const, askedModel: 'm', startedAt: 1 }
        await storage.endAttempt(await storage.startAttempt(attempt), ended({ cost: 0.25 }))
      }
      const startedBy = { id: 'ada', name: 'Ada Lovelace' }
      await createSample(storage, 'one', { seriesId: 'series', request: request({}) })
      await createSample(storage, 'two', { seriesId: 'series', request: request({}) })
      await judge('one')
      expect(await sums()).toEqual([0, 0])
      // Nobody started it on the server; from now on it is Ada's, and so are the others of its series.
      await storage.saveRequest('two', request({ startedBy }))
      expect((await storage.listRuns({ words: ['lovelace'] })).map(({ id }) => id).toSorted()).toEqual(['one', 'two'])
      await judge('one')
      expect(await sums()).toEqual([0.25, 0])
      await storage.savePayers('one', { startedBy: { id: 'bob', name: 'Bob' } })
      await judge('one')
      await judge('two')
      expect(await sums()).toEqual([0.5, 0.25])
      expect((await storage.listRuns({ ids: ['one'] }))[0]?.startedBy).toStrictEqual(startedBy)
      await storage.saveRequest('two', request({ startedBy }))
      await judge('one')
      expect(await sums()).toEqual([0.75, 0.25])
      await storage.savePayers('one', {})
      await judge('one')
      expect(await sums()).toEqual([0.75, 0.25])
      await expect(storage.savePayers('missing', {})).rejects.toThrow(/There is no run "missing"/)
    })

    it('budgets: sums are exact while requests end and runs end at the same time', async () => {
      const { access } = storage
      const cases = Array.from({ length: 40 }, (_, index) => `case ${index}`)
      await storage.createRun(header('one', { request: request({ project: 'x' }) }), cellsOf(cases, ['m']))
      const ids = await Promise.all(cases.map((name) => startAttempt(storage, cell('one', name, 'm'))))
      await Promise.all(
        ids.flatMap((id, index) => [
          index % 2 === 0
            ? storage.endAttempt(id, ended({ cost: 0.001 }))
            : storage.saveAnswer(id, ended({ cost: 0.001 }), cell('one', cases[index]!, 'm'), plainAnswer()),
          ...(index % 5 === 0 ? [storage.setRunStatus('one', 'cancelled')] : []),
        ]),
      )
      expect(await access.sumSpending({ kind: 'project', id: 'x' }, 0)).toBe(0.04)
    })

    it('budgets: any sequence of calls sums to what its requests cost', async () => {
      const times = [Date.UTC(2026, 8, 30, 23, 59, 59, 999), Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1)]
      const runs = fc.constantFrom('ada in x', 'bob', 'nobody')
      const step = fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({ kind: fc.constant('start' as const), run: runs, at: fc.constantFrom(...times) }),
        },
        {
          weight: 6,
          arbitrary: fc.record({
            kind: fc.constant('end' as const),
            place: fc.nat({ max: 20 }),
            cost: fc.constantFrom(undefined, 0, 0.001, 0.25, 999_999),
            hasAnswer: fc.boolean(),
          }),
        },
        {
          weight: 2,
          arbitrary: fc.record({
            kind: fc.constant('status' as const),
            run: runs,
            status: fc.constantFrom('running' as const, 'completed' as const),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), run: runs }) },
      )
      const ownersOf = (run: string) => [
        ...(run.startsWith('ada') ? ['person ada', 'project x'] : []),
        ...(run.startsWith('bob') ? ['person bob'] : []),
      ]
      let made = 0
      const spent: { run: string; at: number; cost: number }[] = []
      const check = async () => {
        for (const from of [0, ...times.slice(1)]) {
          const expected = new Map<string, number>()
          for (const { run, at, cost } of spent)
            for (const owner of at >= from ? ownersOf(run) : [])
              expected.set(owner, (expected.get(owner) ?? 0) + Math.round(cost * 1000))
          const listed = (await storage.access.listSpending(from)).map(({ owner, spent: sum }): [string, number] => [
            `${owner.kind} ${owner.id}`,
            Math.round(sum * 1000),
          ])
          expect(listed.toSorted()).toEqual([...expected].toSorted())
        }
      }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
          const number = ++made
          const idOf = (run: string) => `${run} ${number}`
          const startedBy = (id: string) => ({ startedBy: { id, name: id } })
          await createSample(storage, idOf('ada in x'), { request: request({ ...startedBy('ada'), project: 'x' }) })
          await createSample(storage, idOf('bob'), { request: request(startedBy('bob')) })
          await createSample(storage, idOf('nobody'))
          const open: { id: number; run: string; at: number }[] = []
          for (const one of steps)
            if (one.kind === 'start') {
              const started = { ...cell(idOf(one.run)), purpose: 'answer' as const, askedModel: 'm', startedAt: one.at }
              const id = await storage.startAttempt(started).catch(() => undefined)
              if (id !== undefined) open.push({ id, run: one.run, at: one.at })
            } else if (one.kind === 'end') {
              const [attempt] = open.splice(one.place % Math.max(1, open.length), 1)
              if (!attempt) continue
              const end = ended(one.cost === undefined ? {} : { cost: one.cost })
              const isStored = await (
                one.hasAnswer
                  ? storage.saveAnswer(attempt.id, end, cell(idOf(attempt.run)), plainAnswer())
                  : storage.endAttempt(attempt.id, end)
              ).then(
                () => true,
                () => false,
              )
              if (isStored && one.cost) spent.push({ ...attempt, cost: one.cost })
            } else if (one.kind === 'status') await storage.setRunStatus(idOf(one.run), one.status).catch(() => {})
            else await storage.deleteRun(idOf(one.run))
          await check()
        }),
        { numRuns: driver.name === 'SQLite' ? 40 : 10 },
      )
    })
  })
}
