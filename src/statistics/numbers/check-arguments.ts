/** Throws unless there is at least one value and all are finite numbers. */
export function checkNumbers(values: ArrayLike<number>, name: string): void {
  if (values.length === 0) throw new RangeError(`${name} is empty: at least one value is needed.`)
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      throw new RangeError(`${name}[${i}] is ${values[i]}: every value must be a finite number.`)
    }
  }
}

/** Throws unless there is at least one value and all are from 0 to 1. */
export function checkScores(scores: readonly number[], name: string): void {
  checkNumbers(scores, name)
  const wrong = scores.findIndex((score) => score < 0 || score > 1)
  if (wrong >= 0) throw new RangeError(`${name}[${wrong}] is ${scores[wrong]}: scores are from 0 to 1.`)
}

/** Throws unless the two lists have the same length. */
export function checkSameLength(a: ArrayLike<unknown>, b: ArrayLike<unknown>, names: string): void {
  if (a.length !== b.length) {
    throw new RangeError(`${names} differ in length (${a.length} and ${b.length}): they must pair up one to one.`)
  }
}

/** Throws unless 0 < value < 1. */
export function checkFraction(value: number, name: string): void {
  if (!(value > 0 && value < 1)) throw new RangeError(`${name} is ${value}: it must be strictly between 0 and 1.`)
}

/** Throws unless the value is a finite number of at least `least`. */
export function checkAtLeast(value: number, least: number, name: string): void {
  if (!(Number.isFinite(value) && value >= least)) {
    throw new RangeError(`${name} is ${value}: it must be a finite number of at least ${least}.`)
  }
}

/** Throws unless the value is a whole number of at least `least`. */
export function checkWhole(value: number, least: number, name: string): void {
  if (!(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${name} is ${value}: it must be a whole number of at least ${least}.`)
  }
}
