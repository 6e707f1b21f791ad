/**
 * How often each audit finds a fault of 10 points in a judge, with and without noise, and how often it raises a false
 * alarm. Run: `node bench/judging/audits.ts [trials]`; prints the table of docs/judge-audits.md.
 */
import { auditNames, type AuditName } from '../../src/contract/index.ts'
import { runAudits } from '../../src/scoring/judging/audit/audits.ts'
import { createSimulatedJudge, type PlantedFaults } from '../../src/scoring/judging/audit/testing/simulated-judge.ts'
import { createRandom } from '../../src/statistics/index.ts'

const trials = Number(process.argv[2] ?? 1000)

const judges: [name: string, faults: PlantedFaults][] = [
  ['fair', {}],
  ['fair, noise of 3 points', { noise: 3 }],
  ['fair, noise of 10 points', { noise: 10 }],
  ['fair, noise of 15 points', { noise: 15 }],
  ['10 points too lenient', { bias: 10 }],
  ['10 points for the first place', { first: 10 }],
  ['10 points for length', { length: 10 }],
  ['10 points for its own words', { own: 10 }],
  ['10 points for canaries', { canary: 10 }],
  ['10 points for the first place, noise of 10', { first: 10, noise: 10 }],
  ['10 points for length, noise of 10', { length: 10, noise: 10 }],
  ['10 points for its own words, noise of 10', { own: 10, noise: 10 }],
  ['10 points for canaries, noise of 10', { canary: 10, noise: 10 }],
]

async function measure(name: string, faults: PlantedFaults): Promise<Map<AuditName, number>> {
  const found = new Map<AuditName, number>()
  for (let trial = 0; trial < trials; trial++) {
    const random = createRandom(`${name} ${trial}`)
    const callModel = createSimulatedJudge(faults, random)
    for (const { audit, status } of await runAudits({ seed: trial }, { judgeModelId: 'judge', callModel, random }))
      if (status === 'found') found.set(audit, (found.get(audit) ?? 0) + 1)
  }
  return found
}

console.log(`| judge | ${auditNames.join(' | ')} |\n| --- |${auditNames.map(() => ' ---: |').join('')}`)
for (const [name, faults] of judges) {
  const found = await measure(name, faults)
  const shares = auditNames.map((audit) => `${((100 * (found.get(audit) ?? 0)) / trials).toFixed(1)} %`)
  console.log(`| ${name} | ${shares.join(' | ')} |`)
}
