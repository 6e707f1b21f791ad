/** Lint rule for the pure rooms: `new Date()` without an argument reads the clock. */
const noClockDate = {
  meta: { docs: { description: 'new Date() reads the clock; take the time as an argument' } },
  create(context) {
    return {
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0)
          context.report({ node, message: 'new Date() reads the clock; take the time as an argument (pure room).' })
      },
    }
  },
}

export default { meta: { name: 'pure-rooms' }, rules: { 'no-clock-date': noClockDate } }
