import { afterAll, beforeAll, describe } from 'vitest'
import { describeArtifacts } from './testing/contract-of-artifacts.ts'
import { describeBudgets } from './testing/contract-of-budgets.ts'
import { describeClaims } from './testing/contract-of-claims.ts'
import { describeCells } from './testing/contract-of-cells.ts'
import { describeDocuments } from './testing/contract-of-documents.ts'
import { describeAccess } from './testing/contract-of-access.ts'
import { describeLabels } from './testing/contract-of-labels.ts'
import { describeRatings } from './testing/contract-of-ratings.ts'
import { describeReading } from './testing/contract-of-reading.ts'
import { describeRuns } from './testing/contract-of-runs.ts'
import { describeSearch } from './testing/contract-of-search.ts'
import { describeTexts } from './testing/contract-of-texts.ts'
import { describeWriting } from './testing/contract-of-writing.ts'
import { testedDrivers } from './testing/tested-drivers.ts'

/** Tests what src/contract/storage.ts promises, for every driver on a real database. */
for (const driver of testedDrivers())
  describe(driver.name, () => {
    beforeAll(() => driver.start())
    afterAll(() => driver.stop())
    describeRuns(driver)
    describeLabels(driver)
    describeAccess(driver)
    describeCells(driver)
    describeClaims(driver)
    describeBudgets(driver)
    describeTexts(driver)
    describeReading(driver)
    describeRatings(driver)
    describeSearch(driver)
    describeDocuments(driver)
    describeArtifacts(driver)
    describeWriting(driver)
  })
