/** Brings the ways to write an answer into one: LaTeX without layout, Unicode and program notation as LaTeX. */

const SYMBOLS: readonly (readonly [RegExp, string])[] = [
  [/[−–—]/g, '-'],
  [/×/g, '\\times '],
  [/[·⋅∙]/g, '\\cdot '],
  [/÷/g, '\\div '],
  [/±/g, '\\pm '],
  [/∞/g, '\\infty '],
  [/π/g, '\\pi '],
  [/θ/g, '\\theta '],
  [/λ/g, '\\lambda '],
  [/α/g, '\\alpha '],
  [/β/g, '\\beta '],
  [/[≤⩽]/g, '\\leq '],
  [/[≥⩾]/g, '\\geq '],
  [/≠/g, '\\ne '],
  [/∪/g, '\\cup '],
  [/∩/g, '\\cap '],
  [/∈/g, '\\in '],
  [/∅/g, '\\emptyset '],
  [/[∖]/g, '\\setminus '],
  [/ℝ/g, '\\mathbb{R}'],
  [/°/g, '^\\circ '],
  [/√\s*\(/g, '\\sqrt('],
  [/√\s*(\d+(?:\.\d+)?|\p{L})/gu, '\\sqrt{$1}'],
  [/½/g, '\\frac{1}{2}'],
  [/⅓/g, '\\frac{1}{3}'],
  [/⅔/g, '\\frac{2}{3}'],
  [/¼/g, '\\frac{1}{4}'],
  [/¾/g, '\\frac{3}{4}'],
  [/⁄/g, '/'],
  [/％/g, '%'],
  [/，/g, ','],
  [/（/g, '('],
  [/）/g, ')'],
  [/＝/g, '='],
]

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

function readRaised(text: string): string {
  return text
    .replaceAll(/[⁻⁺]?[⁰¹²³⁴-⁹]+/g, (raised) => {
      const digits = [...raised].map((one) => (one === '⁻' ? '-' : one === '⁺' ? '' : SUPERSCRIPTS.indexOf(one)))
      return `^{${digits.join('')}}`
    })
    .replaceAll(/[₀-₉]+/g, (lowered) => `_{${[...lowered].map((one) => SUBSCRIPTS.indexOf(one)).join('')}}`)
}

const LAYOUT: readonly (readonly [RegExp, string])[] = [
  [/\\(?:left|right|bigl?|bigr?|Bigl?|Bigr?|biggl?|biggr?)(?![A-Za-z])\s*\.?(?=[()[\]{}|\\.]|$)/g, ''],
  [/\\(?:left|right|displaystyle|textstyle|limits|nolimits|mathstrut|hfill|boxed(?=\s*$))(?![A-Za-z])/g, ''],
  [/(?<!\\)\\[,;:!> ]|\\(?:quad|qquad|thinspace|medspace|enspace)(?![A-Za-z])|~/g, ' '],
  [/\\[dtc]frac(?![A-Za-z])/g, '\\frac'],
  [/\\[dt]binom(?![A-Za-z])/g, '\\binom'],
  [/\\(?:le|leqslant)(?![A-Za-z])/g, '\\leq '],
  [/\\(?:ge|geqslant)(?![A-Za-z])/g, '\\geq '],
  [/\\(?:lt)(?![A-Za-z])/g, '<'],
  [/\\(?:gt)(?![A-Za-z])/g, '>'],
  [/<=/g, '\\leq '],
  [/>=/g, '\\geq '],
  [/!=/g, '\\ne '],
  [/\\(?:neq|not=)(?![A-Za-z])/g, '\\ne '],
  [/\\(?:varnothing)(?![A-Za-z])/g, '\\emptyset '],
  [/\\(?:lbrace)(?![A-Za-z])/g, '\\{'],
  [/\\(?:rbrace)(?![A-Za-z])/g, '\\}'],
  [/\\(?:vert|mid)(?![A-Za-z])/g, '|'],
  [/\^\s*(?:\{\s*\\circ\s*\}|\\circ)|\\degree(?![A-Za-z])/g, '^\\circ '],
  [/\*\*/g, '^'],
  [/\{:\}/g, ':'],
  // Whoever writes 10^23 without braces means the whole exponent.
  [/\^\s?(\d{2,})/g, '^{$1}'],
  [/\\%/g, '%'],
  [/\\\$/g, '$'],
  [/\\_/g, '_'],
  [/\\(?:overline|mathbf|vec|boldsymbol|bar|hat|mathcal|mathit|bm)\s*\{([A-Za-z]+)\}/g, '$1'],
  [/\\mathbb\s*\{?\s*R\s*\}?|\\R(?![A-Za-z])|\\Reals(?![A-Za-z])/g, '\\reals '],
]

/** `sqrt(2)`, `np.arcsin(x)`, `pi`: as programs write it. */
const PROGRAM: readonly (readonly [RegExp, string])[] = [
  [/(?<![A-Za-z\\])(?:np|numpy|math|sp|sympy|cmath)\.(?=[A-Za-z])/g, ''],
  [/(?<![A-Za-z\\])a(?:rc)?(sin|cos|tan)(?=\s*\()/g, '\\arc$1'],
  [/(?<![A-Za-z\\])(sqrt|sin|cos|tan|cot|sec|csc|ln|log|exp|sinh|cosh|tanh)(?![A-Za-z])/g, '\\$1'],
  [/(?<![A-Za-z\\])pi(?![A-Za-z])/g, '\\pi '],
  [/(?<![A-Za-z\\])(?:infinity|inf|oo)(?![A-Za-z])/gi, '\\infty '],
  [/(?<![A-Za-z\\])cbrt\s*\(/g, '\\sqrt[3]('],
]

/** `1.5 million`, `\text{ million}`. */
const SCALED = /(?<=\d)\s*(?:\\text\s*\{\s*)?(thousand|million|billion|trillion)(?![\p{L}])\s*\}?/giu
const SCALES: Readonly<Record<string, number>> = { thousand: 3, million: 6, billion: 9, trillion: 12 }

/** A number with thousands groups; in brackets a comma separates. */
const GROUPED = /(?<![\d.,])\d{1,3}(?:(?:,\\! ?|,|\{,\}|\\,|\\!,|[\u00a0\u2009\u202f])\d{3})+(?!\d|,\d|\{,\})/g
const GROUPED_BY_SPACE = /(?<![\d.,}^_])\d{1,3}(?: \d{3})+(?![\d/]| \d)/g

function dropGroups(text: string): string {
  const ungrouped = (number: string) => number.replaceAll(/[^\d]/g, '')
  const outside = /^\s*(?:\\left)?\s*[([{\\]/.test(text) && !/^\s*\\(?:frac|\$)/.test(text)
  const braced = text.replaceAll(/(?<=\d)\{,\}(?=\d{3})/g, '')
  return outside ? braced : braced.replaceAll(GROUPED, ungrouped).replaceAll(GROUPED_BY_SPACE, ungrouped)
}

function apply(text: string, rules: readonly (readonly [RegExp, string])[]): string {
  return rules.reduce((done, [pattern, replacement]) => done.replaceAll(pattern, replacement), text)
}

/** `$…$`, `\(…\)`, `\[…\]` and `\boxed{…}` around the whole. */
function dropDelimiters(text: string): string {
  let inside = text.trim()
  for (let before = ''; before !== inside;) {
    before = inside
    inside = inside
      .replace(/^\$\$([^$]*)\$\$$/s, '$1')
      .replace(/^\$((?:\\\$|[^$])*)(?<!\\)\$$/s, '$1')
      .replace(/^\\\((.*)\\\)$/s, '$1')
      .replace(/^\\\[(.*)\\\]$/s, '$1')
      .replace(/^\\(?:boxed|fbox)\s*\{([^{}]*)\}$/s, '$1')
      .replace(/^`([^`]*)`$/s, '$1')
      .replace(/(?<![.\\])[.。]$/, '')
      .trim()
  }
  return inside
}

/** `$2$, $3$`: several formulas; `$2, $3` is money. */
function dropInnerDelimiters(text: string): string {
  const bare = text.replaceAll(/(?<!\\)\$(?![\s,;])([^$\n]+)(?<![\s,;\\])\$/g, '$1')
  return /(?<!\\)\$/.test(bare) ? text : bare
}

/** Everything but units and words, which depend on what the text is compared with. */
export function normalizeLatex(source: string): string {
  const text = apply(
    apply(readRaised(dropGroups(dropInnerDelimiters(dropDelimiters(source.normalize('NFC'))))), SYMBOLS),
    LAYOUT,
  )
  return apply(text, PROGRAM)
    .replaceAll(/\\(frac|binom)\s*(\d)\s*(\d)/g, '\\$1{$2}{$3}')
    .replaceAll(SCALED, (_, scale: string) => `\\cdot 10^{${SCALES[scale.toLowerCase()]!}} `)
    .replaceAll(/\\sqrt\s*(\d)/g, '\\sqrt{$1}')
    .replaceAll(/(?<![\d.}])\.(?=\d)/g, '0.')
    .replaceAll(/(?<![\d.{}^_])(\d+)\s*\\frac\s*\{(\d+)\}\s*\{(\d+)\}/g, '($1+\\frac{$2}{$3})')
    .replaceAll(/(?<![\d.{}^_/])(\d+) (\d+)\/(\d+)(?![\d/.])/g, '($1+$2/$3)')
    .replaceAll(/(?<=\d)\.(?!\d|\\overline)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\{([^{}]*,[^{}]*)\}$/, '\\{$1\\}')
}
