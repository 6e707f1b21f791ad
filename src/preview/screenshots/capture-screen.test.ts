import { describe, expect, test, vi } from 'vitest'
import { captureWhenDrawn } from './capture-screen.ts'

const NO_FRAME = new Error('Protocol error (Page.captureScreenshot): Unable to capture screenshot')

describe('captureWhenDrawn', () => {
  test('asks again while the browser has no frame', async () => {
    const capture = vi.fn<() => Promise<string>>().mockRejectedValueOnce(NO_FRAME).mockRejectedValueOnce(NO_FRAME)
    capture.mockResolvedValue('picture')
    expect(await captureWhenDrawn(capture)).toBe('picture')
    expect(capture).toHaveBeenCalledTimes(3)
  })

  test('passes on every other error at once', async () => {
    const capture = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('Target closed'))
    await expect(captureWhenDrawn(capture)).rejects.toThrow('Target closed')
    expect(capture).toHaveBeenCalledTimes(1)
  })

  test('gives up in the end', async () => {
    const capture = vi.fn<() => Promise<string>>().mockRejectedValue(NO_FRAME)
    await expect(captureWhenDrawn(capture)).rejects.toThrow(NO_FRAME)
    expect(capture).toHaveBeenCalledTimes(6)
  })
})
