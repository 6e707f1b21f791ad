import { expect, it } from 'vitest'
import { areFontsHere, findFonts } from './page-fonts.ts'

const file = (code: string) => ({
  name: 'x',
  code,
  kind: 'html' as const,
  language: 'html',
  isNamed: true,
  isComplete: true,
})
const google = 'https://fonts.googleapis.com/css2?family='

it('finds the included fonts in the addresses of font services', () => {
  expect(
    findFonts([
      file(`<link href="${google}Inter:wght@400;700&amp;family=Open+Sans:ital,wght@0,400;1,700&display=swap">`),
      file(`@import url('https://fonts.bunny.net/css?family=Lato:400,700|Comic+Neue'); body { font-family: Inter }`),
    ]),
  ).toEqual(['font-inter', 'font-open-sans', 'font-lato'])
})

it('tells whether all fonts of an address are here', () => {
  expect(areFontsHere(`${google}Inter&family=Poppins:wght@600`)).toBe(true)
  expect(areFontsHere(`${google}Inter&family=Comic+Neue`)).toBe(false)
  expect(areFontsHere('https://far.example/font.woff2')).toBe(false)
})
