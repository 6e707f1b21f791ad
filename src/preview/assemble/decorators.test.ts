import { expect, it } from 'vitest'
import { compileDecorators } from './decorators.ts'
import { compileModule } from './compile-script.ts'

/** As the TypeScript handbook orders them: members of instances, static ones, the class; and of several on one the last first. */
it('decorators are called in the order and with the arguments of TypeScript’s experimentalDecorators', async () => {
  const code = `
    const log: string[] = []
    const note = (name: string) => (target: object, key?: string, descriptor?: PropertyDescriptor) => {
      log.push([name, typeof target, key, typeof descriptor?.value].join(' '))
    }
    @note('class') export class Thing {
      @note('field') @note('inner') count: number = 3
      @note('static') static total = 1
      @note('method') double(): number { return this.count * 2 }
    }
    export const result = { log, value: new Thing().double() }
  `
  const compiled = await compileModule({ name: 'thing.ts', kind: 'ts', code })
  if ('problem' in compiled) throw new Error(compiled.problem)
  const exports: { result?: unknown } = {}
  // oxlint-disable-next-line no-new-func -- Code of this test.
  new Function('exports', compiled.code)(exports)
  expect(exports.result).toEqual({
    log: [
      'inner object count undefined',
      'field object count undefined',
      'method object double function',
      'static function total undefined',
      'class function  undefined',
    ],
    value: 6,
  })
})

it('code without decorators stays as it is', async () => {
  const code = "const mail = 'a@b.org'\n// @ts-ignore\nclass A {}"
  expect(await compileDecorators(code, true)).toBe(code)
})
