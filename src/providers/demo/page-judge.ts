/** The simulated judge grades pages by what it can count in the code and the findings. Deterministic. */

interface PageSigns {
  code: string
  findings: string
}

/** `Errors (3):` in the findings is 3. */
function countOf(findings: string, heading: string): number {
  return Number(new RegExp(`^${heading} \\((\\d+)\\):`, 'm').exec(findings)?.[1] ?? 0)
}

function share(signs: readonly RegExp[], text: string): number {
  return signs.filter((sign) => sign.test(text)).length / signs.length
}

const STYLE_SIGNS = [
  /<style|className=|\.css|class="/,
  /grid|flex/,
  /border-radius|rounded/,
  /font(?:-family)?:|font-(?:bold|semibold|medium)/,
  /clamp\(|max-width|max-w-/,
  /gap|padding|\bp[xy]?-\d/,
  /var\(--|color-scheme|slate|indigo/,
  /:hover|:focus|transition|shadow/,
]
const ORDER_SIGNS = [
  /lang="\w|export default/,
  /<main|<section|<header|<nav/,
  /aria-|role=|<label/,
  /const |let /,
  /<h1/,
]
const FAULT_SIGNS = [/<font|<center|<table width/i, /onclick="/, /innerHTML = '\$/, /\bvar /, /style="/]
const WIDTH_SIGNS = [
  /name="viewport"|className=/,
  /@media|auto-fit|\b(?:sm|md|lg):|flex-wrap/,
  /clamp\(|min\(|max-width|max-w-|minmax/,
  /^(?![\s\S]*width(?:="|: )\d{3,4})/,
]

function grade(value: number): number {
  return Math.round(Math.max(0, Math.min(100, value)))
}

const GRADERS: Record<string, (signs: PageSigns) => { score: number; reason: string }> = {
  visualAccuracy({ code, findings }) {
    const style = share(STYLE_SIGNS, code)
    return {
      score: grade(25 + 70 * style - 15 * countOf(findings, 'Problems with the code')),
      reason: `${Math.round(style * 8)} of 8 signs of a laid-out page.`,
    }
  },
  codeQuality({ code, findings }) {
    const order = share(ORDER_SIGNS, code)
    const faults = FAULT_SIGNS.filter((sign) => sign.test(code)).length
    const rules = countOf(findings, 'Accessibility rules broken')
    return {
      score: grade(35 + 60 * order - 8 * faults - 4 * rules),
      reason: `${Math.round(order * 5)} of 5 signs of order, ${faults} habits to avoid, ${rules} accessibility rules broken.`,
    }
  },
  functionality({ code, findings }) {
    const errors = countOf(findings, 'Errors')
    const idle = countOf(findings, 'Controls without effect')
    const isAlive = /addEventListener|onClick|onclick|@click/.test(code)
    return {
      score: grade((isAlive ? 92 : 30) - 25 * errors - 6 * idle),
      reason: `${isAlive ? 'It reacts' : 'Nothing in it reacts'}; ${errors} errors, ${idle} controls without effect.`,
    }
  },
  responsiveness({ code }) {
    const fits = share(WIDTH_SIGNS, code)
    return { score: grade(15 + 80 * fits), reason: `${Math.round(fits * 4)} of 4 signs that it fits other widths.` }
  },
}

/** Grades the criteria that the prompt asks for: without screenshots, visual accuracy is not one of them. */
export function judgePage(signs: PageSigns, hasPictures: boolean): string {
  const graders = Object.entries(GRADERS).filter(([name]) => hasPictures || name !== 'visualAccuracy')
  return JSON.stringify(
    Object.fromEntries(
      graders.map(([name, gradeCriterion]) => {
        const { score, reason } = gradeCriterion(signs)
        return [name, { score, reason: `Simulated judge: ${reason}` }]
      }),
    ),
  )
}
