import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError, VersionConflict, type DocumentKind, type Storage } from '../../contract/index.ts'
import { hostileTexts } from './samples.ts'
import type { TestedDatabase, TestedDriver } from './tested-drivers.ts'

/** Rules for documents (src/contract/ports/storage.ts): every version is kept, and a save names the version before it. */
export function describeDocuments(driver: TestedDriver): void {
  describe('documents', () => {
    let database: TestedDatabase
    let storage: Storage
    let time = 0
    beforeEach(async () => {
      database = await driver.createDatabase()
      storage = await database.open({ now: () => time++ })
      time = 1000
    })
    afterEach(() => storage.close())
    const save = (id: string, content: unknown, after?: number) =>
      storage.saveDocument({ kind: 'suite', id, content }, { after })
    const conflictOf = (saving: Promise<unknown>) =>
      saving.then(
        () => undefined,
        (error: unknown) => (error instanceof VersionConflict ? error.currentVersion : error),
      )

    it('versions start at 1, and older ones stay readable', async () => {
      expect(await save('a', { name: 'first' })).toStrictEqual({
        kind: 'suite',
        id: 'a',
        version: 1,
        savedAt: 1000,
        content: { name: 'first' },
      })
      expect(await save('a', ['second'])).toStrictEqual({
        kind: 'suite',
        id: 'a',
        version: 2,
        savedAt: 1001,
        content: ['second'],
      })
      expect(await storage.loadDocument('suite', 'a')).toStrictEqual({
        kind: 'suite',
        id: 'a',
        version: 2,
        savedAt: 1001,
        content: ['second'],
      })
      expect(await storage.loadDocument('suite', 'a', 1)).toStrictEqual({
        kind: 'suite',
        id: 'a',
        version: 1,
        savedAt: 1000,
        content: { name: 'first' },
      })
      expect(await storage.documentVersions('suite', 'a')).toStrictEqual([
        { kind: 'suite', id: 'a', version: 2, savedAt: 1001 },
        { kind: 'suite', id: 'a', version: 1, savedAt: 1000 },
      ])
    })

    it('a missing document is undefined', async () => {
      await save('a', 1)
      for (const version of [0, 2, -1, 1.5, Number.NaN, 2 ** 60])
        expect(await storage.loadDocument('suite', 'a', version)).toBeUndefined()
      expect(await storage.loadDocument('suite', 'b')).toBeUndefined()
      expect(await storage.loadDocument('settings', 'a')).toBeUndefined()
      expect(await storage.documentVersions('suite', 'b')).toEqual([])
      expect(await storage.listDocuments('vote')).toEqual([])
    })

    it('a save after an older version writes nothing, and the conflict names the newest version', async () => {
      expect(await conflictOf(save('a', 'x', 1))).toBe(0)
      await save('a', 'one', 0)
      expect(await conflictOf(save('a', 'x', 0))).toBe(1)
      await save('a', 'two', 1)
      expect(await conflictOf(save('a', 'x', 1))).toBe(2)
      expect(await conflictOf(save('a', 'x', 3))).toBe(2)
      await expect(save('a', 'x', 1)).rejects.toThrow(
        /the suite "a" expected version 1, but it is now at version 2: reload it/,
      )
      expect(await storage.documentVersions('suite', 'a')).toHaveLength(2)
      expect((await storage.loadDocument('suite', 'a'))?.content).toBe('two')
    })

    it('of many saves after the same version, in two programs, exactly one succeeds', async () => {
      const second = await database.open()
      for (let after = 0; after < 10; after++) {
        const saved = await Promise.allSettled(
          Array.from({ length: 12 }, (_, index) =>
            (index % 2 ? storage : second).saveDocument({ kind: 'suite', id: 'a', content: [after, index] }, { after }),
          ),
        )
        const won = saved.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
        expect(won).toHaveLength(1)
        for (const result of saved)
          if (result.status === 'rejected')
            expect(result.reason).toMatchObject({ name: 'VersionConflict', currentVersion: after + 1 })
        expect(await storage.loadDocument('suite', 'a')).toMatchObject({ version: after + 1, content: [after, won[0]] })
      }
      await second.close()
    })

    it('of many saves without an expected version, each gets its own version', async () => {
      const second = await database.open()
      const saved = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 ? storage : second).saveDocument({ kind: 'vote', id: 'a', content: index }),
        ),
      )
      expect(saved.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 40 }, (_, index) => index + 1),
      )
      for (const { version, content } of saved)
        expect((await storage.loadDocument('vote', 'a', version))?.content).toBe(content)
      await second.close()
    })

    it('lists the newest version of each, last saved first', async () => {
      for (const [id, content] of [
        ['a', 1],
        ['b', 2],
        ['c', 3],
        ['a', 4],
      ] as const)
        await save(id, content)
      await storage.saveDocument({ kind: 'settings', id: 'a', content: 5 })
      expect((await storage.listDocuments('suite')).map(({ id, version, content }) => [id, version, content])).toEqual([
        ['a', 2, 4],
        ['c', 1, 3],
        ['b', 1, 2],
      ])
      const still = await database.open({ now: () => 2000 })
      for (const id of ['x', 'y', 'z']) await still.saveDocument({ kind: 'calibration', id, content: id })
      expect((await still.listDocuments('calibration')).map(({ id }) => id)).toEqual(['z', 'y', 'x'])
      await still.close()
    })

    it('a document is deleted with all its versions, and only that one; the next with that id starts over', async () => {
      await save('a', 1)
      await save('a', 2)
      await save('b', 3)
      await storage.saveDocument({ kind: 'settings', id: 'a', content: 4 })
      expect(await storage.deleteDocument('suite', 'a')).toBe(true)
      expect(await storage.deleteDocument('suite', 'a')).toBe(false)
      expect(await storage.loadDocument('suite', 'a', 1)).toBeUndefined()
      expect(
        (await database.query('SELECT content FROM documents ORDER BY number')).map(({ content }) => content),
      ).toEqual(['3', '4'])
      expect(await conflictOf(save('a', 5, 2))).toBe(0)
      expect((await save('a', 5, 0)).version).toBe(1)
    })

    it('any text is a valid id and kind', async () => {
      for (const id of hostileTexts) {
        const kind: DocumentKind = JSON.parse(JSON.stringify(id))
        await storage.saveDocument({ kind, id, content: { [id]: id } }, { after: 0 })
      }
      for (const id of hostileTexts) {
        const kind: DocumentKind = JSON.parse(JSON.stringify(id))
        const document = await storage.loadDocument(kind, id)
        expect(document).toMatchObject({ kind, id, version: 1 })
        expect(JSON.stringify(document?.content)).toBe(JSON.stringify(JSON.parse(JSON.stringify({ [id]: id }))))
        expect((await storage.listDocuments(kind)).map((listed) => listed.id)).toEqual([id])
      }
      for (const id of hostileTexts) await save(id, null)
      expect((await storage.listDocuments('suite')).map(({ id }) => id)).toEqual(hostileTexts.toReversed())
    })

    it('any JSON round-trips', async () => {
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (content) => {
          const { version } = await save('json', content)
          expect((await storage.loadDocument('suite', 'json', version))?.content).toEqual(
            JSON.parse(JSON.stringify(content)),
          )
        }),
        { numRuns: 60 },
      )
    })

    it('refuses content that is not JSON, ids that are empty or too long, and invalid versions', async () => {
      const circle: Record<string, unknown> = {}
      circle['self'] = circle
      for (const content of [undefined, () => 1, 1n, circle])
        await expect(save('a', content)).rejects.toThrow(/content of the suite "a" is not plain JSON/)
      await expect(save('', 1)).rejects.toThrow(/id of the document is empty/)
      await expect(save('x'.repeat(1001), 1)).rejects.toThrow(/longer than 1000 bytes/)
      for (const after of [-1, 1.5, Number.NaN]) await expect(save('a', 1, after)).rejects.toThrow(InputError)
      expect(await storage.listDocuments('suite')).toEqual([])
    })
  })
}
