import type { AuditProgress } from '../../services/index.ts'
import { drawProgress, REDRAW_MS } from './progress.ts'
import { clearLine, clearToEnd, onStderr, startOfLine, type Terminal } from './terminal.ts'

/** Shows how far an audit is, on stderr; nothing if stderr is not a terminal. */
export function createAuditProgress(terminal: Terminal, now = () => performance.now()) {
  const { stderr, progress, columns } = onStderr(terminal)
  const startedAt = now()
  let drawnAt = -Infinity
  return {
    show({ done, total, cost, failed }: AuditProgress): void {
      if (!progress || now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      const line = drawProgress({
        label: '',
        done,
        total,
        cost,
        errors: failed,
        seconds: (drawnAt - startedAt) / 1000,
        columns,
      })
      stderr.write(`${startOfLine}${line}${clearToEnd}`)
    },
    clear(): void {
      if (progress) stderr.write(clearLine)
    },
  }
}
