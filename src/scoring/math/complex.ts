/** Arithmetic over complex numbers, as far as answers to mathematical questions need it. */
export interface Complex {
  re: number
  im: number
}

export const real = (re: number): Complex => ({ re, im: 0 })
export const I: Complex = { re: 0, im: 1 }
const HALF = real(0.5)

export const add = (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im })
export const subtract = (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im })
export const negate = (a: Complex): Complex => ({ re: -a.re, im: a.im === 0 ? 0 : -a.im })
export const size = (a: Complex): number => Math.hypot(a.re, a.im)

export function multiply(a: Complex, b: Complex): Complex {
  // Infinity times an imaginary part of 0 would be NaN.
  if (a.im === 0 && b.im === 0) return real(a.re * b.re)
  return { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re }
}

export function divide(a: Complex, b: Complex): Complex {
  if (a.im === 0 && b.im === 0) return real(a.re / b.re)
  const squared = b.re * b.re + b.im * b.im
  return { re: (a.re * b.re + a.im * b.im) / squared, im: (a.im * b.re - a.re * b.im) / squared }
}

function exp(a: Complex): Complex {
  const length = Math.exp(a.re)
  return a.im === 0 ? real(length) : { re: length * Math.cos(a.im), im: length * Math.sin(a.im) }
}

export const ln = (a: Complex): Complex =>
  a.im === 0 && a.re > 0 ? real(Math.log(a.re)) : { re: Math.log(size(a)), im: Math.atan2(a.im, a.re) }

/** Larger whole powers lose nothing by the general formula. */
const MOST_MULTIPLIED = 64

export function power(base: Complex, exponent: Complex): Complex {
  if (base.im === 0 && exponent.im === 0 && (base.re >= 0 || Number.isInteger(exponent.re)))
    return real(base.re ** exponent.re)
  if (base.re === 0 && base.im === 0) return real(0)
  if (exponent.im === 0 && Number.isInteger(exponent.re) && Math.abs(exponent.re) <= MOST_MULTIPLIED) {
    let product = real(1)
    for (let turn = 0; turn < Math.abs(exponent.re); turn++) product = multiply(product, base)
    return exponent.re < 0 ? divide(real(1), product) : product
  }
  return exp(multiply(exponent, ln(base)))
}

export const squareRoot = (a: Complex): Complex => {
  if (a.im !== 0) return power(a, HALF)
  return a.re >= 0 ? real(Math.sqrt(a.re)) : { re: 0, im: Math.sqrt(-a.re) }
}

/** The real root of a negative number where there is one, else the principal root. */
export function nthRoot(a: Complex, n: Complex): Complex {
  if (a.im === 0 && a.re < 0 && n.im === 0 && Math.abs(n.re % 2) === 1) return real(-((-a.re) ** (1 / n.re)))
  if (a.im === 0 && n.im === 0 && n.re === 3) return real(Math.cbrt(a.re))
  return power(a, divide(real(1), n))
}

function ofReal(compute: (value: number) => number): (a: Complex) => Complex {
  return (a) => (Math.abs(a.im) > 1e-12 ? { re: NaN, im: NaN } : real(compute(a.re)))
}

const expI = (a: Complex) => exp(multiply(I, a))
const expMinusI = (a: Complex) => exp(negate(multiply(I, a)))
const sin = (a: Complex) =>
  a.im === 0 ? real(Math.sin(a.re)) : divide(subtract(expI(a), expMinusI(a)), { re: 0, im: 2 })
const cos = (a: Complex) => (a.im === 0 ? real(Math.cos(a.re)) : multiply(HALF, add(expI(a), expMinusI(a))))
const sinh = (a: Complex) => multiply(HALF, subtract(exp(a), exp(negate(a))))
const cosh = (a: Complex) => multiply(HALF, add(exp(a), exp(negate(a))))
const one = real(1)

/** By their names in LaTeX. */
export const functions: Readonly<Record<string, (a: Complex) => Complex>> = {
  sin,
  cos,
  tan: (a) => divide(sin(a), cos(a)),
  cot: (a) => divide(cos(a), sin(a)),
  sec: (a) => divide(one, cos(a)),
  csc: (a) => divide(one, sin(a)),
  exp,
  ln,
  log: (a) => divide(ln(a), real(Math.LN10)),
  lg: (a) => divide(ln(a), real(Math.LN10)),
  sinh,
  cosh,
  tanh: (a) => divide(sinh(a), cosh(a)),
  arcsin: ofReal(Math.asin),
  arccos: ofReal(Math.acos),
  arctan: ofReal(Math.atan),
}

export const floor = ofReal(Math.floor)
export const ceiling = ofReal(Math.ceil)

const LARGEST_FACTORIAL = 170

export const factorial = ofReal((n) => {
  if (n < 0 || !Number.isInteger(n)) return NaN
  if (n > LARGEST_FACTORIAL) return Infinity
  let product = 1
  for (let factor = 2; factor <= n; factor++) product *= factor
  return product
})

export function binomial({ re: n }: Complex, { re: k }: Complex): Complex {
  if (!Number.isInteger(n) || !Number.isInteger(k) || k > 1000) return { re: NaN, im: NaN }
  if (k < 0 || k > n) return real(0)
  let product = 1
  for (let factor = 1; factor <= k; factor++) product = (product * (n - k + factor)) / factor
  return real(product < 2 ** 53 ? Math.round(product) : product)
}
