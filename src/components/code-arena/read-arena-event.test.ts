import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readArenaEvent } from './read-arena-event.ts'

describe('events of a Code Arena run (src/server/code-arena/api.ts)', () => {
  it('reads each kind by its name', () => {
    expect(readArenaEvent('view', '{"runId":"r","panels":[]}')).toEqual({ view: { runId: 'r', panels: [] } })
    expect(readArenaEvent('panel', '{"modelId":"m","state":"scoring"}')).toEqual({
      panel: { modelId: 'm', state: 'scoring' },
    })
    expect(readArenaEvent('text', '{"modelId":"m","offset":0,"text":"x"}')).toEqual({
      text: { modelId: 'm', offset: 0, text: 'x' },
    })
    expect(readArenaEvent('progress', '{"status":"running","total":3}')).toEqual({
      progress: { status: 'running', total: 3 },
    })
  })

  it('leaves out what is broken or of another kind', () => {
    expect(readArenaEvent('view', '{"runId":"r"')).toBeUndefined()
    expect(readArenaEvent('view', '{"runId":"r"}')).toBeUndefined()
    expect(readArenaEvent('text', '{"modelId":"m","offset":"0","text":"x"}')).toBeUndefined()
    expect(readArenaEvent('other', '{"runId":"r","panels":[]}')).toBeUndefined()
  })

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('view', 'panel', 'text', 'progress'),
        fc.oneof(fc.json(), fc.anything()),
        (name, data) => {
          readArenaEvent(name, data)
        },
      ),
    )
  })
})
