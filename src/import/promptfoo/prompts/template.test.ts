import { describe, expect, it } from 'vitest'
import { findLogic, render, toTemplate } from './template.ts'

const variables = {
  name: 'bo',
  list: ['a', 'b'],
  pairs: [{ user: 'Hi' }, { assistant: 'Hello' }],
  deep: { key: 'v' },
  n: 3,
  none: undefined,
}

describe('a template of promptfoo (Nunjucks)', () => {
  it.each([
    ['{{ name }} {{name}}', 'bo bo'],
    ['{{ list[1] }} {{ list.0 }} {{ deep["key"] }}', 'b a v'],
    ['{{ name | upper }} {{ list | join("-") }} {{ list | length }} {{ other | default("x") }}', 'BO a-b 2 x'],
    ['{{ deep | dump }}', '{"key":"v"}'],
    ['{{ name | replace("b", "g") | capitalize }}', 'Go'],
    ['{% for x in list %}{{ loop.index }}{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}', '1a, 2b'],
    [
      '{% for pair in pairs %}{% for role, text in pair %}{{ role }}={{ text }};{% endfor %}{% endfor %}',
      'user=Hi;assistant=Hello;',
    ],
    ['{% if n > 2 and name == "bo" %}yes{% elif n %}maybe{% else %}no{% endif %}', 'yes'],
    ['{% if missing %}a{% else %}b{% endif %}', 'b'],
    ['{% if "a" in list %}in{% endif %}{# a remark #}', 'in'],
    ['a {%- if n -%} b {%- endif %} c', 'ab c'],
    ['{{constructor}}{{name.constructor}}', ''],
    ['style={ width: 5 } {"a": {"b": 1}}', 'style={ width: 5 } {"a": {"b": 1}}'],
  ])('%s', (text, filled) => {
    expect(findLogic(text)).toBeUndefined()
    expect(render(text, variables).text).toBe(filled)
  })
  it.each([
    ['{{ env.KEY }}', '{{ env.KEY }}'],
    ['a {{ x | allcaps }}', '{{ x | allcaps }}'],
    ['{% set x = 1 %}{{ x }}', '{% set x = 1 %}'],
    ['{% for x in list %}never closed', '{% for x in list %}'],
    ['{% if (a or b) and c %}x{% endif %}', '{% if (a or b) and c %}'],
    ['{% for turn in _conversation %}{{ turn.input }}{% endfor %}', '{% for turn in _conversation %}'],
    ['{{ a + b }}', '{{ a + b }}'],
  ])('%s cannot be filled, and its tag is named', (text, tag) => {
    expect(findLogic(text)).toBe(tag)
  })
  it('names the values that are missing', () => {
    expect(render('{{a}} {{b.c}} {{name}}', variables).missing).toEqual(['a', 'b.c'])
  })
  it('becomes a template of a suite; with loops, a value of the case', () => {
    expect(toTemplate('Hi {{ list[0] }} \\{{name}}').template).toBe('Hi {{list.0}} \\\\{{name}}')
    const { template, expressions } = toTemplate('{% for x in list %}{{x}}{% endfor %}')
    expect(template).toMatch(/^\{\{__text_\w+\}\}$/)
    expect(expressions.map(({ evaluate }) => evaluate(variables))).toEqual(['ab'])
  })
  it('that grows without limit is refused', () => {
    const long = { list: Array.from({ length: 2000 }, () => 'x'.repeat(1000)) }
    expect(() => render('{% for x in list %}{{ x }}{% endfor %}', long)).toThrow(/grows beyond 1,000,000 characters/)
  })
})
