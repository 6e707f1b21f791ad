import {
  I,
  add,
  binomial,
  ceiling,
  divide,
  factorial,
  floor,
  functions,
  ln,
  multiply,
  negate,
  nthRoot,
  power,
  real,
  size,
  squareRoot,
  subtract,
  type Complex,
} from './complex.ts'

/** The text is no expression, or too large a one. */
export class UnreadableMath extends Error {}

/** Of an expression, in characters. */
export const LONGEST = 2000
const DEEPEST = 200
/** Of one sum or product. */
const MOST_TERMS = 10_000
/** Evaluated parts of one expression: sums inside sums multiply. */
const MOST_STEPS = 300_000

interface Environment {
  values: Map<string, Complex>
  steps: number
}

type Evaluate = (environment: Environment) => Complex

export interface Expression {
  evaluate(values: Map<string, Complex>): Complex
  variables: string[]
  /** Without sums and functions a value is exact but for a few bits, however small it is. */
  isProduct: boolean
}

const TOKEN =
  /\\[A-Za-z]+|\\.|\d+(?:\.\d+)?(?:[eE][+-]?\d+(?![\d.]))?|\.\d+(?:[eE][+-]?\d+)?|\p{L}(?:_(?:\{[\p{L}\p{N}\s,'+-]{1,40}\}|[\p{L}\p{N}]))?'*|[^\s]/gu
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '\\{': '\\}' }
const NO_FACTOR = new Set(
  String.raw`+ - ) ] } | / * \cdot \times \div \ast ^ _ ! , = \rfloor \rceil \} \rvert : & \pm \mp < > \leq \geq \ne ;`.split(
    ' ',
  ),
)
const GREEK =
  /^\\(?:alpha|beta|gamma|delta|theta|vartheta|lambda|mu|nu|xi|eta|kappa|zeta|psi|chi|phi|varphi|omega|epsilon|varepsilon|sigma|rho|tau|ell|hbar|Delta|Gamma|Theta|Lambda|Omega|Phi|Psi|Sigma)$/
const FUNCTION = new RegExp(`^\\\\(?:${Object.keys(functions).join('|')})$`)

/** Compiles a normalised LaTeX expression; throws `UnreadableMath` for anything it does not know. */
export function compileExpression(source: string): Expression {
  if (source.length > LONGEST) throw new UnreadableMath('it is too long')
  const tokens = source.match(TOKEN) ?? []
  const variables = new Set<string>()
  let at = 0
  let depth = 0
  let openBars = 0
  let isProduct = true

  const fail = (): never => {
    throw new UnreadableMath(at < tokens.length ? `${tokens[at]} cannot be read there` : 'it ends too early')
  }
  const eat = (token: string) => (tokens[at] === token ? at++ : fail())
  const counted =
    (evaluate: Evaluate): Evaluate =>
    (environment) => {
      if (++environment.steps > MOST_STEPS) throw new UnreadableMath('it takes too many steps')
      return evaluate(environment)
    }
  const startsFactor = (token: string | undefined) =>
    token !== undefined && !NO_FACTOR.has(token) && !(token === '|' && openBars > 0)

  function expression(): Evaluate {
    if (++depth > DEEPEST) throw new UnreadableMath('it is nested too deeply')
    let isNegative = false
    while (tokens[at] === '-' || tokens[at] === '+') isNegative = (tokens[at++] === '-') !== isNegative
    const first = term()
    let result: Evaluate = isNegative ? (environment) => negate(first(environment)) : first
    while (tokens[at] === '+' || tokens[at] === '-') {
      isProduct = false
      const combine = tokens[at++] === '+' ? add : subtract
      const [left, right] = [result, signed(term)]
      result = (environment) => combine(left(environment), right(environment))
    }
    depth--
    return counted(result)
  }

  function signed(read: () => Evaluate): Evaluate {
    let isNegative = false
    while (tokens[at] === '-' || tokens[at] === '+') isNegative = (tokens[at++] === '-') !== isNegative
    const value = read()
    return isNegative ? (environment) => negate(value(environment)) : value
  }

  function term(): Evaluate {
    let result = factor()
    for (;;) {
      const token = tokens[at]
      const left = result
      if (token === '*' || token === '\\cdot' || token === '\\times' || token === '\\ast') {
        at++
        const right = signed(factor)
        result = (environment) => multiply(left(environment), right(environment))
      } else if (token === '/' || token === '\\div' || token === ':') {
        at++
        const right = signed(factor)
        result = (environment) => divide(left(environment), right(environment))
      } else if (startsFactor(token)) {
        const right = factor()
        result = (environment) => multiply(left(environment), right(environment))
      } else return result
    }
  }

  function factor(): Evaluate {
    let base = atom()
    for (;;) {
      const value = base
      if (tokens[at] === '!') {
        at++
        base = counted((environment) => factorial(value(environment)))
      } else if (tokens[at] === '^') {
        at++
        const exponent = signed(argument)
        base = counted((environment) => power(value(environment), exponent(environment)))
      } else return base
    }
  }

  /** `{…}`, or one token: the 1 of `\frac12`. */
  function argument(): Evaluate {
    const token = tokens[at]
    if (token !== undefined && /^\d{2,}$/.test(token)) tokens.splice(at, 1, token[0]!, token.slice(1))
    return atom()
  }

  function constant(value: Complex): Evaluate {
    return () => value
  }

  function bracketed(close: string): Evaluate {
    const bars = openBars
    openBars = 0
    const inside = expression()
    openBars = bars
    eat(close)
    return inside
  }

  function atom(): Evaluate {
    if (++depth > DEEPEST) throw new UnreadableMath('it is nested too deeply')
    const value = readAtom()
    depth--
    return value
  }

  function readAtom(): Evaluate {
    const token = tokens[at++]
    if (token === undefined) return fail()
    if (/^[\d.]/.test(token)) return constant(real(readNumber(token)))
    const close = CLOSING[token]
    if (close !== undefined) return bracketed(close)
    if (token === '|' || token === '\\lvert') {
      openBars++
      const inside = expression()
      openBars--
      eat(token === '|' ? '|' : '\\rvert')
      isProduct = false
      return (environment) => real(size(inside(environment)))
    }
    if (token === '\\lfloor' || token === '\\lceil') {
      const inside = bracketed(token === '\\lfloor' ? '\\rfloor' : '\\rceil')
      const round = token === '\\lfloor' ? floor : ceiling
      return (environment) => round(inside(environment))
    }
    if (token === '\\frac') {
      const [above, below] = [argument(), argument()]
      return (environment) => divide(above(environment), below(environment))
    }
    if (token === '\\binom') {
      const [n, k] = [argument(), argument()]
      return counted((environment) => binomial(n(environment), k(environment)))
    }
    if (token === '\\sqrt') return root()
    if (token === '\\pi') return constant(real(Math.PI))
    if (token === 'e') return constant(real(Math.E))
    if (token === 'i') return constant(I)
    if (token === '\\infty') return constant(real(Infinity))
    if (FUNCTION.test(token)) return callFunction(token.slice(1))
    if (token === '\\sum' || token === '\\prod') return series(token === '\\sum')
    if (/^\p{L}/u.test(token) || GREEK.test(token)) return variable(token)
    at--
    return fail()
  }

  /** `0.\overline{3}` repeats. */
  function readNumber(token: string): number {
    const repeats = tokens[at] === '\\overline' || (tokens[at] === '.' && tokens[at + 1] === '\\overline')
    if (!repeats) return Number(token)
    at += tokens[at] === '.' ? 2 : 1
    eat('{')
    const digits = tokens[at++] ?? ''
    eat('}')
    if (!/^\d{1,15}$/.test(digits)) fail()
    const decimals = token.split('.')[1]?.length ?? 0
    return Number(token) + Number(digits) / (10 ** digits.length - 1) / 10 ** decimals
  }

  function root(): Evaluate {
    let degree: Evaluate | undefined
    if (tokens[at] === '[') {
      at++
      degree = expression()
      eat(']')
    }
    const inside = argument()
    if (!degree) return counted((environment) => squareRoot(inside(environment)))
    const n = degree
    return counted((environment) => nthRoot(inside(environment), n(environment)))
  }

  function callFunction(name: string): Evaluate {
    isProduct = false
    let base: Evaluate | undefined
    let exponent: Evaluate | undefined
    let isInverse = false
    for (;;) {
      if (tokens[at] === '_') {
        at++
        base = argument()
      } else if (tokens[at] === '^') {
        at++
        // sin^{-1} is the inverse function, not a power.
        isInverse = /^(?:sin|cos|tan)$/.test(name) && /^\{-1\}|^-1/.test(tokens.slice(at, at + 4).join(''))
        exponent = signed(argument)
      } else break
    }
    const input = tokens[at] === '(' || tokens[at] === '{' ? factor() : functionArgument()
    const compute = functions[isInverse ? `arc${name}` : name]!
    const value: Evaluate = base
      ? (environment) => divide(ln(input(environment)), ln(base(environment)))
      : (environment) => compute(input(environment))
    if (!exponent || isInverse) return counted(value)
    const raised = exponent
    return counted((environment) => power(value(environment), raised(environment)))
  }

  /** `\sin 2x \cos x` is a product of two functions. */
  function functionArgument(): Evaluate {
    let result = signed(factor)
    while (startsFactor(tokens[at]) && !FUNCTION.test(tokens[at]!)) {
      const [left, right] = [result, factor()]
      result = (environment) => multiply(left(environment), right(environment))
    }
    return result
  }

  function series(isSum: boolean): Evaluate {
    isProduct = false
    eat('_')
    eat('{')
    const name = tokens[at++]
    if (name === undefined || !/^\p{L}/u.test(name)) return fail()
    eat('=')
    const from = expression()
    eat('}')
    eat('^')
    const to = argument()
    const wasFree = variables.has(name)
    const body = term()
    if (!wasFree) variables.delete(name)
    return counted((environment) => {
      const [first, last] = [from(environment).re, to(environment).re]
      if (!(last - first < MOST_TERMS)) throw new UnreadableMath('it has too many terms')
      const outer = environment.values.get(name)
      let total = real(isSum ? 0 : 1)
      for (let index = first; index <= last; index++) {
        environment.values.set(name, real(index))
        total = (isSum ? add : multiply)(total, body(environment))
      }
      if (outer) environment.values.set(name, outer)
      else environment.values.delete(name)
      return total
    })
  }

  function variable(token: string): Evaluate {
    const name = token.replaceAll(/[{}\s]/g, '')
    variables.add(name)
    return counted((environment) => environment.values.get(name) ?? { re: NaN, im: NaN })
  }

  const evaluate = expression()
  if (at < tokens.length) fail()
  return {
    evaluate: (values) => evaluate({ values: new Map(values), steps: 0 }),
    variables: [...variables],
    isProduct,
  }
}
