/** `new Date()` without an argument reads the clock, which pure rooms may not. */
const noClockDate = {
  meta: { docs: { description: 'new Date() reads the clock; take the time as an argument' } },
  create(context) {
    return {
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0)
          context.report({ node, message: 'new Date() reads the clock; take the time as an argument (pure room).' })
      },
    }
  },
}

const NUMBER_FORMATS = new Set(['toFixed', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
const INTL_FORMATS = new Set(['NumberFormat', 'DateTimeFormat', 'RelativeTimeFormat'])

/** `Number(x.toFixed(2))` and `BigInt(x.toFixed(0))` round and show nothing. */
function isRounding({ parent }) {
  return parent?.type === 'CallExpression' && (parent.callee.name === 'Number' || parent.callee.name === 'BigInt')
}

/** How numbers and times are shown is decided in `src/report/words`, so that one number looks the same everywhere. */
const noNumberFormat = {
  meta: { docs: { description: 'number and time formats belong in src/report/words' } },
  create(context) {
    const report = (node, name) =>
      context.report({
        node,
        message: `${name} shows a number its own way: use src/report/words (or src/contract/numbers.ts).`,
      })
    return {
      CallExpression(node) {
        const name = node.callee.type === 'MemberExpression' ? node.callee.property.name : undefined
        if (NUMBER_FORMATS.has(name) && !isRounding(node)) report(node, name)
      },
      MemberExpression(node) {
        if (node.object.name === 'Intl' && INTL_FORMATS.has(node.property.name))
          report(node, `Intl.${node.property.name}`)
      },
    }
  },
}

const VERDICT_WORDS = /\b(?:too close to call|practically the same|cannot be told apart|beats)\b/i

/** A verdict is worded in `src/report/words`: two wordings of one verdict read as two verdicts. */
const noVerdictWords = {
  meta: { docs: { description: 'verdicts are worded in src/report/words' } },
  create(context) {
    const check = (node, text) => {
      const [words] = VERDICT_WORDS.exec(text) ?? []
      if (words !== undefined) context.report({ node, message: `"${words}" words a verdict: use src/report/words.` })
    }
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.raw),
      JSXText: (node) => check(node, node.value),
    }
  },
}

export default {
  meta: { name: 'house' },
  rules: { 'no-clock-date': noClockDate, 'no-number-format': noNumberFormat, 'no-verdict-words': noVerdictWords },
}
