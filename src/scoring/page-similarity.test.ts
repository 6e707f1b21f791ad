import { expect, it } from 'vitest'
import type { PageBench, SeenPage } from '../contract/index.ts'
import { createScoring } from './scoring.ts'

const testCase = { id: 'a', prompt: 'A page', scoringMethod: 'page-similarity', referencePage: '<p>Owls</p>' }
const page = (text: string): SeenPage => ({
  width: 1000,
  height: 500,
  blocks: [{ text, left: 0, top: 0, width: 100, height: 10, colour: [0, 0, 0] }],
  png: new TextEncoder().encode(text),
})
const scoringOf = (seePage: PageBench['seePage']) =>
  createScoring({
    random: () => 0,
    pages: { seePage, testPage: async () => ({ notSeen: '' }), findProblem: async () => undefined },
  })

it('is the mean of four measures, each a check, and keeps both pictures', async () => {
  const kept: [string, string][] = []
  const scoring = scoringOf(async (response) => page(response.includes('Owls') ? 'Owls' : 'Owl'))
  const score = await scoring.scoreResponse(testCase, {
    response: '<p>Owl</p>',
    keepPicture: async (name, png) => void kept.push([name, new TextDecoder().decode(png)]),
  })
  // Of the seven characters, three are in both twice: 6 / 7.
  expect(score.checks?.map(({ name, score: one }) => [name, Math.round(1000 * one) / 1000])).toEqual([
    ['Blocks that have a counterpart', 1],
    ['Text', 0.857],
    ['Position', 1],
    ['Colour', 1],
  ])
  expect(score.score).toBeCloseTo((3 + 6 / 7) / 4, 12)
  expect(score.notes).toBe('Blocks that have a counterpart 100, Text 86, Position 100, Colour 100')
  expect(kept).toEqual([
    ['reference.png', 'Owls'],
    ['page.png', 'Owl'],
  ])
})

it('is 0 for an answer that makes no page, and no score for what cannot be seen here', async () => {
  const broken = scoringOf(async (response) =>
    response.includes('Owls') ? page('Owls') : { problem: 'There is no page in the answer.' },
  )
  expect(await broken.scoreResponse(testCase, 'No.')).toEqual({ score: 0, notes: 'There is no page in the answer.' })
  const blind = scoringOf(async () => ({ notSeen: 'No browser.' }))
  await expect(blind.scoreResponse(testCase, '<p>')).rejects.toMatchObject({ code: 'page-not-seen' })
  const wrong = scoringOf(async () => ({ problem: 'It hangs.' }))
  await expect(wrong.scoreResponse(testCase, '<p>')).rejects.toMatchObject({ message: 'referencePage: It hangs.' })
})
