import { createConnection, createServer, type Socket } from 'node:net'

/** Stands between program and server and cuts or silences connections when told to. */
export async function startPostgresProxy(connectionString: string, cutCommit = 'before the server saw it') {
  const url = new URL(connectionString)
  const serverPort = Number(url.port)
  const sockets = new Set<Socket>()
  const programs = new Set<Socket>()
  let isArmed = false
  let cuts = 0
  let generation = 0
  let starts = ''
  const listener = createServer((program) => {
    const target = createConnection(serverPort, '127.0.0.1')
    programs.add(program)
    for (const socket of [program, target]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    const own = generation
    let dropReplies = false
    program.once('data', (bytes) => (starts += bytes.toString('latin1')))
    program.on('data', (bytes) => {
      if (own < generation) return
      if (isArmed && /COMMIT|benchmaker settings/.test(bytes.toString('latin1'))) {
        isArmed = false
        cuts++
        if (cutCommit === 'before the server saw it') return void program.destroy()
        dropReplies = true
      }
      target.write(bytes)
    })
    target.on('data', (bytes) => (dropReplies ? program.destroy() : program.write(bytes)))
    program.on('close', () => programs.delete(program) && target.destroy())
    target.on('close', () => program.destroy())
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    connectionString: url.href,
    cutNextCommit: () => (isArmed = true),
    cuts: () => cuts,
    startOfConnections: () => starts,
    /** Open connections stay open but carry nothing any more, as when a machine loses power. */
    silenceOpenConnections: () => generation++,
    cutOpenConnections: () => {
      for (const program of programs) program.destroy()
    },
    /** They are lost for the program only: the server does not notice. */
    abandonOpenConnections: () => {
      for (const program of programs) {
        programs.delete(program)
        program.destroy()
      }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
