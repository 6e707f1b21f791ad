import { checkNumbers, checkSameLength } from '../numbers/check-arguments.ts'

/**
 * The area under the ROC curve: the probability that a score of the true class exceeds one of the false class, with
 * ties counted half, from the sum of ranks (Mann & Whitney 1947; Hanley & McNeil, Radiology 143, 1982). NaN if a class
 * is empty.
 */
export function areaUnderCurve(scores: number[], labels: boolean[]): number {
  checkNumbers(scores, 'scores')
  checkSameLength(scores, labels, 'scores and labels')
  const order = [...scores.keys()].sort((a, b) => scores[a]! - scores[b]!)
  let positives = 0
  let rankSum = 0
  for (let start = 0; start < order.length;) {
    let end = start
    let tiedPositives = 0
    while (end < order.length && scores[order[end]!] === scores[order[start]!]) {
      if (labels[order[end]!]) tiedPositives++
      end++
    }
    positives += tiedPositives
    rankSum += (tiedPositives * (start + 1 + end)) / 2
    start = end
  }
  const negatives = scores.length - positives
  if (positives === 0 || negatives === 0) return NaN
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
}
