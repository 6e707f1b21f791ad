import type { KnownAnswers } from './answers.ts'
import { drawNumber } from './chance.ts'

const OPERATORS: [pattern: string, apply: (a: number, b: number) => number][] = [
  ['\\+|plus', (a, b) => a + b],
  ['[-−–]|minus', (a, b) => a - b],
  ['[*×·x]|times|multiplied by', (a, b) => a * b],
  ['[/÷]|divided by', (a, b) => a / b],
]

function solve(prompt: string): number | undefined {
  for (const [pattern, apply] of OPERATORS) {
    const found = new RegExp(`(\\d+(?:\\.\\d+)?)\\s*(?:${pattern})\\s*(\\d+(?:\\.\\d+)?)`, 'i').exec(prompt)
    if (found) return Number(apply(Number(found[1]), Number(found[2])).toPrecision(12))
  }
  return undefined
}

function guessNumber(prompt: string): KnownAnswers | undefined {
  const result = solve(prompt)
  if (result === undefined || !Number.isFinite(result)) return undefined
  return {
    right: [String(result), `The result is ${result}.`],
    half: [`About ${result + 1}`],
    wrong: [String(result * 10), String(result - 7)],
  }
}

/** The "right" option depends only on the question, so that all models agree on it. */
function guessChoice(prompt: string): KnownAnswers | undefined {
  const letters = [...new Set([...prompt.matchAll(/(?:^|\s)\(?([A-H])[).:]\s/g)].map(([, letter]) => letter!))]
  if (letters.length < 2) return undefined
  const right = letters[Math.floor(drawNumber(prompt) * letters.length)]!
  const others = letters.filter((letter) => letter !== right)
  return { right: [right, `The answer is ${right}.`], half: [`${right} or ${others[0]}`], wrong: others }
}

function guessYesNo(prompt: string): KnownAnswers | undefined {
  if (!/^(?:is|are|was|were|do|does|did|can|could|has|have|will|should|must)\b[^?]*\?/i.test(prompt.trim()))
    return undefined
  const [right, wrong] = drawNumber(prompt) < 0.5 ? ['Yes', 'No'] : ['No', 'Yes']
  return { right: [right, `${right}.`], half: [`${right}, as far as I know.`], wrong: [wrong] }
}

function guessTranslation(prompt: string): KnownAnswers | undefined {
  const found = /translate\b.*?\b(?:in)?to (\w+)[^"“]*["“]([^"”]+)["”]/is.exec(prompt)
  if (!found) return undefined
  const text = `"${found[2]}" in ${found[1]}`
  return {
    right: [`(simulated) ${text}`],
    half: [`(simulated, roughly) ${text}`],
    wrong: ['(simulated) I do not know that language.'],
  }
}

function guessWords(prompt: string): KnownAnswers {
  const topic = prompt.replace(/\s+/g, ' ').trim().slice(0, 80)
  return {
    right: [`This is a simulated answer to "${topic}": the main point first, then one reason and one example.`],
    half: [`This is a simulated answer to "${topic}": the main point only.`],
    wrong: ['This is a simulated answer that misses the question.'],
  }
}

/** Answers of three qualities to an unknown question: computed where that is easy, otherwise made up. */
export function guessAnswers(prompt: string): KnownAnswers {
  return (
    guessNumber(prompt) ?? guessChoice(prompt) ?? guessTranslation(prompt) ?? guessYesNo(prompt) ?? guessWords(prompt)
  )
}
