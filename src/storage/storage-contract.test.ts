import { afterAll, beforeAll, describe } from 'vitest'
import { describeCells } from './testing/contract-of-cells.ts'
import { describeRuns } from './testing/contract-of-runs.ts'
import { describeTexts } from './testing/contract-of-texts.ts'
import { describeWriting } from './testing/contract-of-writing.ts'
import { testedDrivers } from './testing/tested-drivers.ts'

/** What src/contract/storage.ts promises, kept by every driver over a real database. */
for (const driver of testedDrivers())
  describe(driver.name, () => {
    beforeAll(() => driver.start())
    afterAll(() => driver.stop())
    describeRuns(driver)
    describeCells(driver)
    describeTexts(driver)
    describeWriting(driver)
  })
