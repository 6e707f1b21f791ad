import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError, type Storage } from '../../contract/index.ts'
import { cell, createSample, hostileTexts } from './samples.ts'
import type { TestedDriver } from './tested-drivers.ts'

/** Rules for files that belong to a cell (src/contract/ports/storage.ts). */
export function describeArtifacts(driver: TestedDriver): void {
  describe('artifacts', () => {
    let storage: Storage
    const france = cell('run')
    const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)
    beforeEach(async () => {
      storage = await (await driver.createDatabase()).open()
      await createSample(storage, 'run')
    })
    afterEach(() => storage.close())

    it('every byte round-trips, and so do an empty file and a megabyte', async () => {
      const large = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7919) % 256)
      for (const [name, content] of [
        ['bytes', everyByte],
        ['empty', new Uint8Array()],
        ['large', large],
        ['part', everyByte.subarray(3, 9)],
      ] as const) {
        await storage.saveArtifact(france, { name, mediaType: 'image/png', content })
        const loaded = await storage.loadArtifact(france, name)
        expect(loaded).toMatchObject({ name, mediaType: 'image/png' })
        // The matchers compare a megabyte byte by byte, in seconds.
        expect(Buffer.compare(loaded!.content, content)).toBe(0)
      }
      expect(await storage.listArtifacts(france)).toStrictEqual([
        { name: 'bytes', mediaType: 'image/png', size: 256 },
        { name: 'empty', mediaType: 'image/png', size: 0 },
        { name: 'large', mediaType: 'image/png', size: 1_000_000 },
        { name: 'part', mediaType: 'image/png', size: 6 },
      ])
    })

    it('an artifact replaces one with the same name, in its own cell only', async () => {
      await storage.saveArtifact(france, { name: 'page', mediaType: 'image/png', content: everyByte })
      await storage.saveArtifact(cell('run', 'italy'), { name: 'page', mediaType: 'image/png', content: everyByte })
      await storage.saveArtifact(france, { name: 'page', mediaType: 'text/html', content: new Uint8Array([1]) })
      expect(await storage.loadArtifact(france, 'page')).toStrictEqual({
        name: 'page',
        mediaType: 'text/html',
        content: new Uint8Array([1]),
      })
      expect(await storage.listArtifacts(france)).toHaveLength(1)
      expect((await storage.loadArtifact(cell('run', 'italy'), 'page'))?.content).toHaveLength(256)
    })

    it('any text is a valid name', async () => {
      for (const name of hostileTexts)
        await storage.saveArtifact(france, { name, mediaType: name, content: new Uint8Array([name.length]) })
      expect((await storage.listArtifacts(france)).map(({ name }) => name)).toEqual(hostileTexts.toSorted())
      for (const name of hostileTexts)
        expect(await storage.loadArtifact(france, name)).toStrictEqual({
          name,
          mediaType: name,
          content: new Uint8Array([name.length]),
        })
    })

    it('a missing artifact is undefined; a missing cell accepts none', async () => {
      expect(await storage.listArtifacts(france)).toEqual([])
      expect(await storage.loadArtifact(france, 'page')).toBeUndefined()
      expect(await storage.listArtifacts(cell('nowhere'))).toEqual([])
      expect(await storage.loadArtifact(cell('nowhere'), 'page')).toBeUndefined()
      const artifact = { name: 'page', mediaType: 'image/png', content: everyByte }
      await expect(storage.saveArtifact(cell('run', 'spain'), artifact)).rejects.toThrow(/is not part of that run/)
      await expect(storage.saveArtifact(cell('nowhere'), artifact)).rejects.toThrow(/There is no run "nowhere"/)
      await expect(storage.saveArtifact(france, { ...artifact, name: '' })).rejects.toThrow(InputError)
    })
  })
}
