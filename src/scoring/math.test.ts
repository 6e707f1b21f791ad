import { readFileSync, existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { UnreadableMath } from './math/compile-expression.ts'
import { isEquivalent } from './math/equivalent.ts'
import { compareMath, math } from './math.ts'
import { compileAlone } from './testing/compile-alone.ts'

/** The score, or why there is none. */
function read(response: string, expected: string, options: Parameters<typeof compareMath>[2] = {}) {
  try {
    return compareMath(response, expected, options).score
  } catch (error) {
    return (error as { code?: string }).code
  }
}

const raw = String.raw

/** Key, answer. */
const EQUAL: readonly (readonly [string, string])[] = [
  [raw`\frac{1}{2}`, '0.5'],
  [raw`\frac12`, '1/2'],
  ['1/2', '½'],
  [raw`1\frac{1}{2}`, raw`\frac{3}{2}`],
  ['1 1/2', '1.5'],
  [raw`2\sqrt{2}`, raw`\sqrt{8}`],
  [raw`\sqrt2`, '√2'],
  [raw`\sqrt{3}/2`, 'sqrt(3)/2'],
  [raw`\sqrt[3]{27}`, '3'],
  ['1,234', '1234'],
  ['1234', '1 234'],
  [raw`11,\! 111,\! 100`, '11111100'],
  ['$2$, $3$', '3, 2'],
  [raw`$-1$; $[0, 2)$`, '-1; [0, 2)'],
  [raw`10{,}000`, '10000'],
  [raw`10\,000`, '10000'],
  ['4.5e33', raw`4.5 \times 10^{33}`],
  ['4.5e33', '4.5 × 10³³'],
  ['0.001', '10^{-3}'],
  ['7', '7.0'],
  [raw`50\%`, '0.5'],
  [raw`50\%`, '50'],
  ['0.5', '50%'],
  ['$18.90', '18.9'],
  [raw`\$32,\!348`, '32348'],
  [raw`1,\!000,\!000`, '1,000,000'],
  [raw`\$32,348`, raw`\$32348`],
  [raw`\$18.90`, raw`$\$18.90$`],
  ['$18', '1800 cents'],
  [raw`\$18.90`, raw`\$18.90`],
  [raw`90^\circ`, '90'],
  ['90', '90°'],
  ['90', '90 degrees'],
  [raw`10\text{ cm}`, raw`10 \mathrm{cm}`],
  ['10', '10 cm'],
  ['1.5 m', '150 cm'],
  ['60 minutes', '1 hour'],
  [raw`5 \text{ m/s}^2`, raw`5\,\mathrm{m\,s^{-2}}`],
  [raw`36\ \mathrm{km/h}`, raw`10\ \mathrm{m/s}`],
  [raw`12\text{ square feet}`, '12 ft^2'],
  [raw`2\pi\text{ square units}`, raw`2\pi`],
  ['9', '9 apples'],
  ['9 (apples)', '9'],
  [raw`\pi`, '3.14159265358979'],
  [raw`\frac{2}{3}`, '0.6666666667'],
  [raw`0.\overline{3}`, raw`\frac13`],
  [raw`0.1\overline{6}`, '1/6'],
  ['x+1', '1+x'],
  ['(x+1)^2', 'x^2+2x+1'],
  [raw`\frac{x^2-1}{x-1}`, 'x+1'],
  [raw`\sin^2 x+\cos^2 x`, '1'],
  [raw`\arcsin(10/13)`, 'np.arcsin(10/13)'],
  [raw`\sin^{-1}(10/13)`, 'arcsin(10/13)'],
  [raw`\ln 8`, raw`3\ln 2`],
  [raw`\log_2 8`, '3'],
  [raw`e^{i\pi}`, '-1'],
  ['3+4i', '4i+3'],
  ['3!', '6'],
  [raw`\binom{5}{2}`, '10'],
  [raw`\sum_{k=1}^{10} k`, '55'],
  [raw`\frac{2 \pi c^{2} R^{2}}{\lambda^{5}}`, raw`2\pi \left(\frac{c R}{\lambda^2}\right)^2 \cdot \frac{1}{\lambda}`],
  ['x=5', '5'],
  ['5', 'x = 5'],
  ['y = 2x + 3', 'y=3+2x'],
  ['24', '48/2 = 24'],
  [raw`25\pi`, raw`A = \pi r^2 = 25\pi`],
  ['2x+3y=6', '4x+6y=12'],
  [raw`(1,2)`, raw`\left( 1, 2 \right)`],
  ['(1,2)', 'x=1, y=2'],
  [raw`\{1,2,3\}`, raw`\{3,2,1\}`],
  ['3, 5', '5 and 3'],
  ['3,5', raw`x = 3 \text{ or } x = 5`],
  [raw`-3\pm\sqrt{2}`, raw`-3+\sqrt2,-3-\sqrt2`],
  ['[0,1)', '[0, 1)'],
  [raw`(-\infty, 2]`, raw`x \le 2`],
  [raw`[-2, 7]`, raw`-2 \le x \le 7`],
  [raw`x \in [-2, 7]`, raw`-2 ≤ x ≤ 7`],
  ['(3, ∞)', 'x > 3'],
  ['x>3', '3<x'],
  [raw`(-\infty,-1)\cup(1,\infty)`, raw`x<-1 \text{ or } x>1`],
  [raw`(-\infty,-1)\cup(1,\infty)`, raw`x \in (1,\infty)\cup(-\infty,-1)`],
  [raw`(-\infty, \infty)`, raw`\mathbb{R}`],
  [raw`(-\infty, 2)\cup(2,\infty)`, raw`x \neq 2`],
  [raw`\emptyset`, raw`\varnothing`],
  [raw`\emptyset`, 'no solution'],
  [raw`\infty`, '∞'],
  [raw`2516_8`, raw`2516_{8}`],
  [raw`2516_8`, '2516'],
  [raw`\begin{pmatrix}1&2\\3&4\end{pmatrix}`, raw`\begin{bmatrix}1&2\\3&4\end{bmatrix}`],
  [raw`\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}`, raw`\begin{bmatrix}1&2\\3&4\end{bmatrix}`],
  [raw`\begin{pmatrix} 1/2 \\[2pt] 2 \end{pmatrix}`, raw`\begin{pmatrix} \frac12 \\ 2 \end{pmatrix}`],
  [raw`(1,2),(3,4)`, raw`(3,4), (1,2)`],
  [raw`\{(1,2),(3,4)\}`, raw`(3,4),(1,2)`],
  [raw`6.02 × 10^23`, raw`6.02\times10^{23}`],
  [raw`11:30`, raw`11{:}30`],
  [raw`\begin{pmatrix}\frac12\\0.25\end{pmatrix}`, raw`\begin{pmatrix}0.5\\1/4\end{pmatrix}`],
  [raw`\text{(A)}`, 'A'],
  [raw`\text{east}`, 'East'],
  ['x \\le 5', 'x \\leq 5'],
  [raw`T_{e}^2`, raw`T_e^2`],
  ['|{-5}|', '5'],
  ['6.02e23', raw`6.02\cdot 10^{23}`],
]

const DIFFERENT: readonly (readonly [string, string])[] = [
  [raw`\pi`, '3.14'],
  [raw`\frac13`, '0.333'],
  ['2/3', '0.67'],
  ['42', '24'],
  ['1234567', '1234568'],
  ['10 cm', '10 m'],
  ['10 kg', '10 m'],
  ['1e-34', '2e-34'],
  ['6.6e-34', '0'],
  ['(1,2)', '(2,1)'],
  ['[0,1)', '(0,1]'],
  ['(0,1)', '[0,1]'],
  ['x>3', raw`x \ge 3`],
  ['x>3', 'x<3'],
  ['x>3', 'y>3'],
  [raw`[-2, 7]`, raw`-2 < x < 7`],
  ['{1,2}', '{1,3}'],
  ['3,5', '3'],
  [raw`\infty`, raw`-\infty`],
  ['3+4i', '3-4i'],
  [raw`\sqrt{x^2}`, 'x'],
  ['2x', 'x^2'],
  ['11_2', '3_{10}'],
  ['11_2', '11_3'],
  [raw`\emptyset`, '0'],
  [raw`\begin{pmatrix}1&2\\3&4\end{pmatrix}`, raw`\begin{pmatrix}1&3\\2&4\end{pmatrix}`],
  [raw`\begin{pmatrix} 1 \\ 2 \end{pmatrix}`, raw`\begin{pmatrix} 1 \\ 3 \end{pmatrix}`],
  [raw`(1,2),(3,4)`, raw`(1,2),(4,3)`],
  ['2x+3y=6', '2x+3y=7'],
  [raw`\text{east}`, raw`\text{west}`],
  [raw`\text{even}`, '2'],
  ['x=5', 'x=-5'],
  ['5', '-5'],
  ['1/2', '12'],
  ['3.5', '35'],
  ['20%', '0.02'],
  [raw`\frac{a}{b}`, raw`\frac{b}{a}`],
  ['0', '1e-5'],
]

it.each([
  ['Therefore, x = 42.', '42'],
  ['48/2 = 24, 48+24 = 72', '72'],
  ['=42', '42'],
  ['≈ 3.14', '3.14'],
  ['So, after all, she has 42 apples.', '42'],
])('%j is read as %s', (response, key) => {
  expect(read(response, key)).toBe(1)
  expect(read(response, '24')).toBe(0)
})

describe('mathematics', () => {
  it.each(EQUAL)('%j is %j', (key, answer) => {
    expect(read(raw`\boxed{${answer}}`, key)).toBe(1)
    expect(read(answer, key)).toBe(1)
    expect(read(key, answer)).toBe(1)
  })
  it.each(DIFFERENT)('%j is not %j', (key, answer) => {
    expect(read(raw`\boxed{${answer}}`, key)).toBe(0)
    expect(read(raw`\boxed{${key}}`, answer)).toBe(0)
  })

  it.each([
    '72',
    'The answer is 72.',
    'Natalia sold 48 + 24 = 72 clips altogether.',
    'She sold 48/2 = 24 clips in May.\nAltogether she sold 72 clips.',
    '#### 72',
    '48 + 24 = <<48+24=72>>72\n#### 72',
    'The final answer is $72$. I hope it is correct.',
    'Final Answer: The final answer is $\\boxed{72}$.',
    '**72**',
    '答案是72。',
    '{"answer": 72}',
    '<answer>72 clips</answer>',
    'Therefore, she sold $\\boxed{72\\text{ clips}}$ in all.',
    'Thus $x = 72$.',
    'The total is 72 clips.',
    'The answer is 72, not 24.',
    'The answer is 72 (not 24).',
    '**Answer:** 72 clips (48 + 24)',
    'x = 72, since 2x = 144',
    '72 because 48 + 24 is that',
    '72 clips (1.2 minutes)',
    'The answer is 72, or 144/2',
  ])('reads 72 from %j', (response) => expect(read(response, '72')).toBe(1))

  it.each(['in 1939', 'about 1939', 'approximately $1,939$', 'It was in 1939.'])('reads 1939 in %j', (response) => {
    expect(read(response, '1939')).toBe(1)
    expect(read(response, '1938')).toBe(0)
  })
  it.each([
    ['$25', 'The answer is $25 (25 dollars)'],
    ['1/4', '1/4 (25%)'],
    ['1/4', 'Answer: 1/4, or 0.25'],
    ['2(x+1)', '2 (x+1)'],
    [raw`\frac{14}{3}`, raw`f(-2)+f(-1)+f(0)=\frac{14}{3}`],
    ['1000000', '1 million'],
    [raw`1.5\text{ million}`, '1,500,000'],
    ['$1.5 million', '1500000 dollars'],
    [raw`3:30 \text{ PM}`, '3:30 PM'],
  ])('%j is answered by %j', (key, answer) => expect(read(answer, key)).toBe(1))
  it.each([
    ['5', '5 or 6'],
    ['5', '2x = 10 (x is not 5)'],
    ['15', 'The answer is 14, not 15.'],
    ['15', 'The answer is 14 (not 15).'],
    ['10', '2x = 10'],
    ['1', '1 million'],
    ['2', '2 (x+1)'],
  ])('%j is not answered by %j', (key, answer) => expect(read(answer, key)).not.toBe(1))
  it('reads the key of a dataset out of its solution', () => {
    expect(read('72', 'She sold 24 in May.\n#### 72')).toBe(1)
    expect(read('0.5', raw`So it is $\boxed{\frac12}$.`)).toBe(1)
  })
  it('leaves unscored what is no mathematics, unless words are marked as the answer', () => {
    expect(read('I could not solve this problem, sorry.', '72')).toBe('math-unreadable')
    expect(read('There are 3 boxes with 24 clips, and 5 are lost.', '72')).toBe('math-unreadable')
    expect(read(raw`\boxed{\foo{3}^^}`, '72')).toBe('math-unreadable')
    expect(read('', '72')).toBe('no-answer')
    expect(read('The answer is: cannot be determined.', '72')).toBe(0)
    expect(read(raw`\boxed{\text{east}}`, '72')).toBe(0)
    expect(read('71', '72')).toBe(0)
    expect(read('3', raw`\foo{3}^^`)).toBe('math-unreadable')
  })
  it.each([
    'It takes 2/2=1 bolt of white fiber\nSo the total amount of fabric is 2+1=3 bolts of fabric = 3',
    `It is 3 ${'very long unit '.repeat(100)}=`,
    `3${' ^2 ^{2}'.repeat(200)} !`,
    `3 m${' s2'.repeat(300)} !`,
    `3 ${'a1'.repeat(500)}?`,
  ])('comes to an end on %j', (response) => {
    const begin = process.cpuUsage()
    try {
      isEquivalent('3', response, 1e-6)
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableMath)
    }
    // Milliseconds; a search that tries every way would take longer than the test may.
    expect(process.cpuUsage(begin).user / 1000).toBeLessThan(4000)
  })
  it('has a tolerance', () => {
    expect(read('3.14', raw`\pi`, { tolerance: 0.001 })).toBe(1)
    expect(read('101', '100', { tolerance: 0.01 })).toBe(1)
    expect(read('0.3333333', '1/3')).toBe(1)
    expect(read('1/3', '0.333')).toBe(0)
    expect(compileAlone(math, '1', { tolerance: -1 }).problems).toHaveLength(1)
  })
  it.each([
    '9^{9^{9^9}}',
    raw`\sum_{k=1}^{10^9} k`,
    raw`\sum_{k=1}^{9999}\sum_{j=1}^{9999}\sum_{i=1}^{9999} ijk`,
    raw`\prod_{k=1}^{\infty} k`,
    '('.repeat(900) + '1' + ')'.repeat(900),
    '{'.repeat(1900),
    '1+'.repeat(5000) + '1',
    raw`\frac`.repeat(300),
    '-'.repeat(1900) + '1',
    '9'.repeat(1990),
    '1,'.repeat(900),
    raw`\begin{pmatrix}` + '1&'.repeat(500) + raw`\end{pmatrix}`,
    '171!!!!!',
    raw`\binom{10^9}{10^8}`,
    ' '.repeat(1900) + 'x',
    'x '.repeat(900),
    '$'.repeat(1900),
    '|'.repeat(1900),
    '\\text{a'.repeat(300),
    '1 '.repeat(100_000),
    'a = '.repeat(50_000),
  ])('is never held up (case %#)', (answer) => {
    for (const key of ['7', raw`\frac{x}{2}`, '(1,2)', '[1,2]']) {
      const start = process.cpuUsage()
      expect(read(answer, key)).not.toBe(1)
      expect(read(raw`\boxed{${answer}}`, key)).not.toBe(1)
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000)
    }
  })

  const minerva = new URL('../../../shared/data/datasets/minerva-math.jsonl', import.meta.url)
  it.skipIf(!existsSync(minerva))(
    'every key of Minerva and GSM8K is itself, written as models write (needs the datasets)',
    () => {
      const rows = readFileSync(minerva, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).solution)
      const gsm = readFileSync(new URL('gsm8k.jsonl', minerva), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).answer)
      for (const solution of [...rows, ...gsm]) {
        expect([read(solution, solution), solution]).toEqual([1, solution])
        expect(read('The answer is 123456.789.', solution)).toBe(0)
      }
      for (const solution of gsm) {
        const value = solution.split('#### ')[1]
        expect(read(raw`Therefore, the answer is $\boxed{${value}}$.`, solution)).toBe(1)
        expect(read(`So it is **${value}** in all.`, solution)).toBe(1)
      }
    },
  )
})
