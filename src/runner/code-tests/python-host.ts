/**
 * The program of the process that runs one answer in Python, and then ends. Pyodide alone is no sandbox: Python reaches
 * JavaScript, and through it Node. So Node's modules that reach out are replaced, code cannot be made from texts (a flag of
 * the process), files other than Pyodide's cannot be read (another), and Python gets no JavaScript object.
 */
export const PYTHON_HOST = String.raw`
import { registerHooks } from 'node:module'
import { constants } from 'node:fs'
const send = process.send.bind(process), once = process.once.bind(process), exit = process.exit.bind(process)
const [pyodideUrl, limitMb] = process.argv.slice(-2)
process.kill = process.reallyExit = undefined
const limit = Number(limitMb) * 1024 * 1024, grow = WebAssembly.Memory.prototype.grow
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > limit) throw new RangeError('out of memory')
  return grow.call(this, pages)
}
const closed = /^(?:ws|(?:node:)?(?:net|tls|dgram|dns|http|https|http2|child_process|cluster|worker_threads|inspector|vm|repl|sqlite))(?:\/|$)/
registerHooks({ resolve: (name, context, next) => closed.test(name) ? { url: 'data:text/javascript,export default {}', shortCircuit: true } : next(name, context) })
process.binding = () => ({ fs: constants })
const { loadPyodide } = await import(pyodideUrl)
const python = await loadPyodide({ jsglobals: Object.create(null), env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' }, stdout() {}, stderr() {} })
python.runPython("import sys\nfor name in ('js', 'pyodide_js'): sys.modules.pop(name, None)\nsys.setrecursionlimit(1000)")
python.unregisterJsModule('js')
python.unregisterJsModule('pyodide_js')
for (const name of ['fetch', 'WebSocket', 'EventSource', 'require', 'process', 'Buffer']) delete globalThis[name]
once('message', ({ program }) => {
  let reply
  try {
    const globals = python.toPy({ __name__: '__main__' })
    const value = python.runPython(program, { globals, filename: '<answer>' })
    reply = { passed: value.toJs() }
  } catch (error) {
    const lines = String(error.message).trim().split('\n')
    reply = { error: lines.at(-1).slice(0, 300) }
  }
  send(reply, () => exit(0))
})
send({ ready: true })
`
