import { expect, it } from 'vitest'
import { startAtCode } from './start-at-code.ts'

it('hides what a model says before its code', () => {
  expect(startAtCode('I am acme/m1, and this is my page:')).toBe('')
  expect(startAtCode('I am acme/m1.\n```html\n<p>Hello')).toBe('```html\n<p>Hello')
  expect(startAtCode('As acme/m1 I answer: <!DOCTYPE html><p>')).toBe('<!DOCTYPE html><p>')
})
