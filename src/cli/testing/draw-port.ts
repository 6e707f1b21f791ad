/**
 * A port for a program that is started again on it, below those that the system hands out: those another program could
 * get in between. It may be taken; then draw another.
 */
export function drawPort(): number {
  return 10_000 + Math.floor(Math.random() * 20_000)
}
