/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]
export type Lab = readonly [lightness: number, a: number, b: number]

/** Of sRGB's white (D65), as IEC 61966-2-1 has it. */
const WHITE = [0.95047, 1, 1.08883] as const

const toLinear = (channel: number): number => {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

const toCube = (value: number): number =>
  value > 216 / 24389 ? Math.cbrt(value) : (24389 / 27 / 116) * value + 16 / 116

/** CIE 1976 L*a*b* of an sRGB colour. */
export function toLab([red, green, blue]: Rgb): Lab {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)]
  const x = toCube((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / WHITE[0])
  const y = toCube((0.2126729 * r + 0.7151522 * g + 0.072175 * b) / WHITE[1])
  const z = toCube((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / WHITE[2])
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const DEGREE = Math.PI / 180

const hueOf = (a: number, b: number): number => (a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / DEGREE + 360) % 360)

const cosine = (degrees: number): number => Math.cos(degrees * DEGREE)

/** How different two colours look: CIEDE2000 as Sharma, Wu and Dalal (2005) write it, with all weights 1. */
export function ciede2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const stretch = 1.5 - 0.5 * Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7))
  const [c1, c2] = [Math.hypot(stretch * a1, b1), Math.hypot(stretch * a2, b2)]
  const [h1, h2] = [hueOf(stretch * a1, b1), hueOf(stretch * a2, b2)]
  const isGrey = c1 * c2 === 0
  const turn = h2 - h1
  const hueStep = isGrey ? 0 : turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
  const lightness = l2 - l1
  const chroma = c2 - c1
  const hue = 2 * Math.sqrt(c1 * c2) * Math.sin((hueStep / 2) * DEGREE)
  const [meanL, meanC] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const sum = h1 + h2
  const meanH = isGrey ? sum : Math.abs(turn) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2
  const t =
    1 -
    0.17 * cosine(meanH - 30) +
    0.24 * cosine(2 * meanH) +
    0.32 * cosine(3 * meanH + 6) -
    0.2 * cosine(4 * meanH - 63)
  const rotation =
    -2 * Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)) * Math.sin(60 * Math.exp(-(((meanH - 275) / 25) ** 2)) * DEGREE)
  const scaledL = lightness / (1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2))
  const scaledC = chroma / (1 + 0.045 * meanC)
  const scaledH = hue / (1 + 0.015 * meanC * t)
  return Math.sqrt(scaledL ** 2 + scaledC ** 2 + scaledH ** 2 + rotation * scaledC * scaledH)
}
