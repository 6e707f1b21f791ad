/** Lanczos coefficients for g = 607/128 (Godfrey, 2001), good to about 1e-15 relative. */
const lanczosShift = 607 / 128
const lanczosCoefficients = [
  0.9999999999999971, 57.15623566586292, -59.59796035547549, 14.136097974741746, -0.4919138160976202,
  3.399464998481189e-5, 4.652362892704858e-5, -9.837447530487956e-5, 0.0001580887032249125, -0.00021026444172410488,
  0.00021743961811521265, -0.0001643181065367639, 8.441822398385275e-5, -2.6190838401581408e-5, 3.6899182659531625e-6,
]

/** ln Γ(x) for x > 0 (Lanczos, SIAM Journal on Numerical Analysis B 1, 1964). */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`x is ${x}: logGamma is defined here for numbers above 0.`)
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  let series = lanczosCoefficients[0]!
  for (let i = 1; i < lanczosCoefficients.length; i++) series += lanczosCoefficients[i]! / (x + i - 1)
  const shifted = x - 0.5 + lanczosShift
  return (x - 0.5) * Math.log(shifted) - shifted + Math.log(Math.sqrt(2 * Math.PI) * series)
}
